/** What is wrong with a public log: where, and what differs. */
import type { TrustFilter, WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';

/** What a finding is called; scripts read it. */
export type FindingCode =
  | 'board_misplaced'
  | 'board_missing'
  | 'board_stated'
  | 'end_invalid'
  | 'entry_hash'
  | 'entry_misplaced'
  | 'envelope_invalid'
  | 'file_incomplete'
  | 'key_invalid'
  | 'key_revoked'
  | 'key_unknown'
  | 'line_changed'
  | 'line_misplaced'
  | 'line_unreadable'
  | 'live_board'
  | 'live_log'
  | 'own_receipt'
  | 'payload_digest'
  | 'payload_invalid'
  | 'rank'
  | 'receipt_invalid'
  | 'row_missing'
  | 'row_stated'
  | 'section'
  | 'signature_invalid'
  | 'standing';

/** One thing that is not as it must be. */
export interface LogFinding {
  code: FindingCode;
  /** From 1 on; null where it is of no line. */
  line: number | null;
  /** A sentence without the line. */
  message: string;
  log_index?: number;
  /** The operator's public name, and how the log names it. */
  name?: string;
  operator?: string;
  /** The board's day, and which board it is. */
  as_of?: string;
  trust?: TrustFilter;
  tool?: string | null;
  window?: WindowName;
  metric?: MetricName;
  stated?: number | null;
  recomputed?: number | null;
}

/** So many are kept; one wrong entry can make every board wrong. */
const MAX_KEPT = 100;

/** Collects what is found, the first of it in full. */
export class Findings<Finding = LogFinding> {
  readonly kept: Finding[] = [];
  total = 0;

  add(finding: Finding): void {
    this.total += 1;
    if (this.kept.length < MAX_KEPT) this.kept.push(finding);
  }
}
