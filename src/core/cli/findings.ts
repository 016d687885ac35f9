/** The findings of `doctor`, in the form that both programs share. */

/** The result of one check. */
export interface Finding {
  severity: 'ok' | 'problem' | 'warning';
  /** The exit code of a problem; otherwise 0. */
  exit: number;
  text: string;
  /** What to do; empty if nothing needs to be done. */
  advice: string;
}

export function warning(text: string, advice: string) {
  return { severity: 'warning' as const, exit: 0 as const, text, advice };
}

export function problem<Exit extends number>(exit: Exit, text: string, advice: string) {
  return { severity: 'problem' as const, exit, text, advice };
}

/** The exit code of all findings: the highest one. */
export function exitOf<Exit extends number>(findings: readonly { exit: Exit }[]): Exit | 0 {
  return findings.reduce<Exit | 0>((worst, { exit }) => (exit > worst ? exit : worst), 0);
}

/** The number of problems and warnings, as numbers and as text. */
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

/** A count with its noun: "1 problem", "2 problems". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
