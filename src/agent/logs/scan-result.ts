/** What a scan comes to. */
import type { Bucket } from '#core/schema/usage.ts';
import type { SourceReport } from '../device-reports.ts';
import type { StampedLogs } from './stamped-logs.ts';

/** How the logs of one tool were read. */
export type ScanSource = Omit<SourceReport, 'skipped_lines'>;

/** What the logs of one tool come to. */
export interface ToolSums {
  buckets: Bucket[];
  source: ScanSource;
}

export interface ScanResult {
  buckets: Bucket[];
  sources: ScanSource[];
  /** What makes scans slow without making them wrong. */
  notes: string[];
}

/** A scan with the logs that it found. */
export interface Scan extends ScanResult {
  logs: readonly StampedLogs[];
}
