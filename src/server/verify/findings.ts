import type { FindingCode, LogFinding } from '#core/domain/log/log-finding.ts';

/** What a finding in a whole board is called; scripts read it. */
export type WholeFindingCode =
  | FindingCode
  | 'bucket'
  | 'copy_differs'
  | 'copy_invalid'
  | 'database'
  | 'entry_missing'
  | 'entry_owner'
  | 'payload_missing'
  | 'reference'
  | 'stored_key'
  | 'stored_view'
  | 'submission_facts'
  | 'submission_missing'
  | 'submission_state'
  | 'submission_stray';

/** One thing that is not as it must be; the message is a sentence. */
export type WholeFinding = Omit<LogFinding, 'code' | 'line'> & { code: WholeFindingCode };

/** So many are kept: one wrong entry can make every board wrong. */
const MAX_KEPT = 100;

/** Collects what is found, the first of it in full. */
export class WholeFindings {
  readonly kept: WholeFinding[] = [];
  total = 0;

  /** @param finding Without the line that it may have: here nothing is read from lines. */
  add({ line: _, ...finding }: WholeFinding & { line?: LogFinding['line'] }): void {
    this.total += 1;
    if (this.kept.length < MAX_KEPT) this.kept.push(finding);
  }
}
