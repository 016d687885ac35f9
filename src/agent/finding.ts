import * as findings from '#core/cli/findings.ts';
import type { Place } from './device.ts';
import type { ExitCode } from './failure.ts';
import { asTyped } from './state/copy.ts';
import type { FindingReport } from './device-reports.ts';

export type { FindingReport } from './device-reports.ts';

export const problem: (exit: ExitCode, text: string, advice: string) => FindingReport =
  findings.problem;
export const warning: (text: string, advice: string) => FindingReport = findings.warning;

/** Findings whose advice shows commands as they must be typed here. */
export function typedFindings(
  place: Pick<Place, 'environment' | 'file'>,
  found: readonly FindingReport[],
): FindingReport[] {
  return found.map((finding) => ({ ...finding, advice: asTyped(place, finding.advice) }));
}
