/**
 * The baseline of a device: counts that it does not state because another device or account states them. That is
 * everything counted when a state folder was copied, or only what the other device has stated.
 *
 * @module
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { bucketKey, joinPillars, keyParts, totalOf } from '#core/domain/counting/bucket.ts';
import { dayAndTool } from '#core/domain/counting/counting.ts';
import type { Bucket, Pillars } from '#core/schema/usage.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { KeptResponse } from '../ledger/types.ts';
import { readOfDevice, writePrivate } from './atomic-file.ts';

const FILE = 'baseline.json';
const Count = z.number().nullable();

/** A daily count as input, output, cache_write and cache_read. */
export const CountTuple = z.tuple([z.number(), z.number(), Count, Count]);
type CountTuple = z.infer<typeof CountTuple>;

export function tupleOf({ input, output, cache_write, cache_read }: Pillars): CountTuple {
  return [input, output, cache_write, cache_read];
}

export function pillarsOf(tuple: readonly [...CountTuple, ...unknown[]]): Pillars {
  const [input, output, cache_write, cache_read] = tuple;
  return { input, output, cache_write, cache_read };
}

/** The times in milliseconds up to which responses belong to another device, by day, LF, tool. */
export const Groups = z.record(z.string(), z.number());
export type Groups = z.infer<typeof Groups>;

/** The content of a ledger at one time. */
export const LedgerThen = z.object({
  format: z.literal(1),
  at: z.string(),
  /** The ID of the ledger, and its last update at that time. */
  ledger: z.string(),
  run: z.number(),
  buckets: z.record(z.string(), CountTuple),
  /** Which responses these are. If absent, all responses at that time. */
  groups: Groups.optional(),
});
export type LedgerThen = z.infer<typeof LedgerThen>;

const Baseline = LedgerThen.extend({
  device_id: z.string(),
  /** The owners of those days: labels of devices, or a codename. */
  stay_with: z.string(),
  is_account: z.boolean(),
});
export type Baseline = z.infer<typeof Baseline>;

/** The baseline of a device on a board; null if it states everything. */
export function baselineIn(folder: string, deviceId: string): Baseline | null {
  return readOfDevice(join(folder, FILE), Baseline, deviceId);
}

export function baselineNow(
  ledger: Pick<Ledger, 'buckets' | 'id' | 'run'>,
  at: string,
): LedgerThen {
  const buckets = tuplesOf(ledger.buckets());
  return { format: 1, at, ledger: ledger.id, run: ledger.run, buckets };
}

/** A baseline with the part of a ledger that belongs to others. */
export function baselineOf(
  ledger: Pick<Ledger, 'id' | 'run'>,
  at: string,
  { groups, buckets }: { groups: Groups; buckets: readonly Bucket[] },
): LedgerThen {
  const { id, run } = ledger;
  return { format: 1, at, ledger: id, run, buckets: tuplesOf(buckets), groups };
}

export function heldIn(ledger: Pick<Ledger, 'bucketsUntil'>, groups: Groups): Bucket[] {
  return Object.entries(groups).flatMap(([group, untilMs]) => {
    const [day = '', tool = ''] = group.split('\n');
    return ledger.bucketsUntil(day, tool, untilMs);
  });
}

/** Merges groups. For one day and tool, the latest time is kept. */
export function mergeGroups(all: Iterable<readonly [group: string, untilMs: number]>): Groups {
  const merged: Groups = {};
  for (const [group, untilMs] of all) merged[group] = Math.max(merged[group] ?? untilMs, untilMs);
  return merged;
}

/** The groups of a baseline. Without its own, all its days up to the time of the baseline. */
export function groupsOf({ at, buckets, groups }: LedgerThen): Groups {
  const days = Object.keys(buckets).map((key) => dayAndTool(keyParts(key)));
  return groups ?? Object.fromEntries(days.map((day) => [day, Date.parse(at)]));
}

export function bucketsIn({ buckets }: LedgerThen): Bucket[] {
  return Object.entries(buckets).map(([key, tuple]) => ({ ...keyParts(key), ...pillarsOf(tuple) }));
}

function tuplesOf(buckets: readonly Bucket[]): LedgerThen['buckets'] {
  return Object.fromEntries(buckets.map((bucket) => [bucketKey(bucket), tupleOf(bucket)]));
}

/** Saves a baseline, unless the device already has one. */
export function keepBaseline(folder: string, baseline: Baseline): void {
  if (baselineIn(folder, baseline.device_id)) return;
  writePrivate(join(folder, FILE), JSON.stringify(baseline));
}

/** Deletes the baseline, so that the device states everything. */
export function dropBaseline(folder: string): void {
  rmSync(join(folder, FILE), { force: true });
}

/** The counts above a baseline, without those that are zero. */
export function aboveBaseline(buckets: readonly Bucket[], baseline: Baseline | null): Bucket[] {
  if (baseline === null) return [...buckets];
  return buckets.flatMap((bucket) => {
    const base = pillarsIn(baseline, bucket);
    if (base === null) return [bucket];
    const above = {
      ...bucket,
      ...joinPillars(bucket, base, (now, then) => Math.max(0, now - then)),
    };
    return totalOf(above) === 0 ? [] : [above];
  });
}

/** Adds the baseline to counts: the inverse of {@linkcode aboveBaseline}. */
export function withBaseline<Above extends Bucket>(
  buckets: readonly Above[],
  baseline: Baseline | null,
): Above[] {
  return buckets.map((bucket) => {
    const base = baseline && pillarsIn(baseline, bucket);
    if (base === null) return bucket;
    return { ...bucket, ...joinPillars(bucket, base, (above, then) => above + then) };
  });
}

/** Which of the responses behind a daily count a device states. */
export type IsStated = (
  bucket: Pick<Bucket, 'day' | 'tool'>,
  response: Pick<KeptResponse, 'at' | 'run'>,
) => boolean;

/**
 * A function that says which responses are stated despite a baseline, so that fingerprints cover only those. The runs
 * of a ledger that was created again are not comparable.
 */
export function statedAbove(
  baseline: Baseline | null,
  ledger: Partial<Pick<Ledger, 'id'>> | undefined,
): IsStated {
  if (baseline === null) return () => true;
  const { groups, run } = baseline;
  const isSame = baseline.ledger === ledger?.id;
  if (groups === undefined) return (_, response) => isSame && response.run > run;
  return (bucket, response) => {
    const untilMs = groups[dayAndTool(bucket)];
    const isLater = untilMs === undefined || response.at > untilMs;
    return isLater || (isSame && response.run > run);
  };
}

/** The time in milliseconds after which carried-over counts must have been stated to belong to this device. */
export function carriedSince(baseline: Baseline | null): number {
  const isAll = baseline === null || (baseline.groups !== undefined && !baseline.is_account);
  return isAll ? Number.NEGATIVE_INFINITY : Date.parse(baseline.at);
}

function pillarsIn({ buckets }: Baseline, bucket: Bucket): Pillars | null {
  const key = bucketKey(bucket);
  const base = Object.hasOwn(buckets, key) ? buckets[key] : undefined;
  return base === undefined ? null : pillarsOf(base);
}
