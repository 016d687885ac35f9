/** What a scan hands to the ledger of responses, and what ties the index to it. */
import type { Bucket, LoggedResponse } from '#core/schema/usage.ts';
import type { StampedLogs } from './stamped-logs.ts';

/** What the logs of one tool tell that the index did not know. */
export interface ToolTold {
  logs: StampedLogs;
  /** Daily counts of all of the tool's logs. */
  buckets: readonly Bucket[];
  /** The responses of the logs that were merged in this scan. */
  responses: readonly LoggedResponse[];
  /** Whether these are all responses of the tool. */
  isWhole: boolean;
}

/** Which ledger has taken what the index holds, and when. */
export interface LedgerMark {
  id: string;
  run: number;
}

/** The ledger that a scan feeds. */
export interface ScanLedger extends Readonly<LedgerMark> {
  rulesOf(tool: string): number | undefined;
  /** Takes what logs tell, before the index counts it as known. */
  take(told: readonly ToolTold[]): Promise<void>;
}
