/** Findings about a public log: what differs, and where. */
import type { TrustFilter, WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';

/** The stable code of a finding, for scripts. */
export type FindingCode =
  | 'board_misplaced'
  | 'board_missing'
  | 'board_pinned'
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

/** One fault in a public log. */
export interface LogFinding {
  code: FindingCode;
  /** Starting at 1; null if it does not concern a single line. */
  line: number | null;
  /** A sentence that does not mention the line. */
  message: string;
  log_index?: number;
  /** The operator's public name, and its ID in the log. */
  name?: string;
  operator?: string;
  /** The board's day, and its slice, window and metric. */
  as_of?: string;
  trust?: TrustFilter;
  tool?: string | null;
  window?: WindowName;
  metric?: MetricName;
  stated?: number | null;
  recomputed?: number | null;
}

/** The most findings that are stored. One wrong entry can make every board wrong. */
const MAX_KEPT = 100;

/** Collects findings: counts all, and stores the first ones. */
export class Findings<Finding = LogFinding> {
  readonly kept: Finding[] = [];
  total = 0;

  add(finding: Finding): void {
    this.total += 1;
    if (this.kept.length < MAX_KEPT) this.kept.push(finding);
  }
}
