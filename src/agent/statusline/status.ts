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
import { configured } from '../config.ts';
import { orNull } from '../failure.ts';
import { SUMMARY, type Summary, bucketsOf, readUnchecked } from '../ledger/summary-file.ts';
import { type Environment, stateFolder } from '../settings.ts';
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

export function readStatusLine(environment: Environment, nowMs: number): Status {
  const folder = stateFolder(environment);
  const excluded = orNull(() => configured(environment, 'exclude-tools').values) ?? [];
  return {
    counted: countedIn(join(folder, 'ledger'), utcDay(nowMs), excluded),
    standing: newestStanding(join(folder, 'boards')),
  };
}

function countedIn(folder: string, today: string, excluded: readonly string[]): Status['counted'] {
  try {
    const summary = readUnchecked(folder);
    if (summary === null) return null;
    const { mtimeMs } = statSync(join(folder, SUMMARY));
    const buckets = bucketsOn(today, summary).filter(({ tool }) => !excluded.includes(tool));
    const tokens = buckets.reduce((sum, bucket) => sum + totalOf(bucket), 0);
    const value = metricsOf(buckets).yield;
    const is_today = utcDay(mtimeMs) === today;
    return { at_ms: Math.floor(mtimeMs), is_today, tokens, yield: value };
  } catch {
    // A status line has no place for errors; doctor reports them.
    return null;
  }
}

function bucketsOn(today: string, { tools }: Summary): Bucket[] {
  return Object.entries(tools).flatMap(([tool, { months }]) => {
    const month = months[today.slice(0, 7)];
    const buckets = month ? bucketsOf(tool, month) : [];
    return buckets.map(({ bucket }) => bucket).filter(({ day }) => day === today);
  });
}
