/** What a doctor finds: the form that both programs share. */

/** Something that was looked at. */
export interface Finding {
  severity: 'ok' | 'problem' | 'warning';
  /** The exit code of a problem; 0 for all else. */
  exit: number;
  text: string;
  /** What to do; empty if nothing is. */
  advice: string;
}

export function warning(text: string, advice: string) {
  return { severity: 'warning' as const, exit: 0 as const, text, advice };
}

export function problem<Exit extends number>(exit: Exit, text: string, advice: string) {
  return { severity: 'problem' as const, exit, text, advice };
}

/** The exit code of what was found: that of the worst problem. */
export function exitOf<Exit extends number>(findings: readonly { exit: Exit }[]): Exit | 0 {
  return findings.reduce<Exit | 0>((worst, { exit }) => (exit > worst ? exit : worst), 0);
}

/** How many problems and warnings there are, in numbers and in words. */
export function tally(findings: readonly Pick<Finding, 'severity'>[]) {
  const count = (severity: Finding['severity']) => {
    return findings.filter((finding) => finding.severity === severity).length;
  };
  const [problems, warnings] = [count('problem'), count('warning')];
  return {
    problems,
    warnings,
    text: `${counted(problems, 'problem')}, ${counted(warnings, 'warning')}`,
  };
}

/** A count and what is counted, as in "1 problem" and "2 problems". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
