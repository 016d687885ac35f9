/**
 * The data of a status line, from what earlier commands saved. It reads two or three small files, waits for nothing, and
 * must not import schemas, which take longer to load than a status line may take.
 *
 * @module
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { totalOf } from '#core/domain/counting/bucket.ts';
import { utcDay } from '#core/domain/counting/day.ts';
import { metricsOf } from '#core/domain/metrics/standing.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { orNull } from '../failure.ts';
import type { Place } from '../device.ts';
import { LedgerFiles, SUMMARY } from '../ledger/ledger-files.ts';
import { type Summary, bucketsOf } from '../ledger/summary.ts';
import { stateFolder } from '../settings.ts';
import { type LastStanding, newestStanding } from '../state/last-standing.ts';

export interface Status {
  /** What the last scan counted; null if nothing was counted yet. */
  counted: {
    /** When the logs were last read, in milliseconds since the epoch. */
    at_ms: number;
    /** Whether that was on the current UTC day. */
    is_today: boolean;
    /** Today's tokens. */
    tokens: number;
    /** Today's yield; null if undefined. */
    yield: number | null;
  } | null;
  /** Null if no board was asked yet. */
  standing: LastStanding | null;
}

export function readStatusLine({
  environment,
  nowMs,
}: Pick<Place, 'environment' | 'nowMs'>): Status {
  const folder = stateFolder(environment);
  const today = utcDay(nowMs());
  return {
    counted: orNull(() => countedIn(join(folder, 'ledger'), today)),
    standing: newestStanding(join(folder, 'boards')),
  };
}

function countedIn(folder: string, today: string): Status['counted'] {
  const read = new LedgerFiles(folder).readSummary();
  const stats = statSync(join(folder, SUMMARY), { throwIfNoEntry: false });
  if (read.state !== 'whole' || stats === undefined) return null;
  const buckets = bucketsOn(today, read.summary);
  const tokens = buckets.reduce((sum, bucket) => sum + totalOf(bucket), 0);
  return {
    at_ms: Math.floor(stats.mtimeMs),
    is_today: utcDay(stats.mtimeMs) === today,
    tokens,
    yield: metricsOf(buckets).yield,
  };
}

function bucketsOn(today: string, { tools }: Summary): Bucket[] {
  return Object.entries(tools).flatMap(([tool, { months }]) => {
    const month = months[today.slice(0, 7)];
    const buckets = month ? bucketsOf(tool, month) : [];
    return buckets.map(({ bucket }) => bucket).filter(({ day }) => day === today);
  });
}
