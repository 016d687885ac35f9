import type { Place } from './device.ts';
import { EXIT, type ExitCode } from './failure.ts';
import { asTyped } from './kept/copy.ts';
import type { Finding } from './device-reports.ts';

export type { Finding } from './device-reports.ts';

export function problem(exit: ExitCode, text: string, advice: string): Finding {
  return { severity: 'problem', exit, text, advice };
}

export function warning(text: string, advice: string): Finding {
  return { severity: 'warning', exit: EXIT.ok, text, advice };
}

/** Findings whose advice says what to type here. */
export function typedFindings(
  place: Pick<Place, 'environment' | 'file'>,
  findings: readonly Finding[],
): Finding[] {
  return findings.map((finding) => ({ ...finding, advice: asTyped(place, finding.advice) }));
}

/** The exit code of what was found: that of the worst problem. */
export function exitOf(findings: readonly Finding[]): ExitCode {
  return findings.reduce<ExitCode>((worst, { exit }) => (exit > worst ? exit : worst), EXIT.ok);
}
