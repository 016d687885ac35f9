/**
 * What an account's days are asked before they are ranked. A check never refuses a write: it notes, or holds
 * until the keeper decides. Every number here was chosen by its reason and tried on generated honest and
 * dishonest accounts (`scripts/bench/plausibility.mjs`).
 *
 * @module
 */
import { totalOf } from './bucket.ts';
import { type Field, outlierFindings } from './day-outlier.ts';
import { type Finding, type Suspect, type ToolDay, findingAbout, verdictAbove } from './finding.ts';
import { groupBy } from './group.ts';

/**
 * Output tokens of an account in a UTC day. A model writes about 100 tokens a second in one stream: 50 M are six
 * streams around the clock, 200 M are twenty-three. People who run that many exist, but hardly with one account.
 */
export const OUTPUT_RATE = { note: 50e6, hold: 200e6 } as const;

/**
 * The share of fresh input in a tool's day that reads a cache. Each request has one fresh token at least and
 * can read no more than the largest context, two million tokens: 5e-7. Real contexts are mostly a tenth of that.
 * Below ten million tokens a day is too few requests to tell.
 */
export const INPUT_SHARE = { note: 2e-6, hold: 5e-7, day_tokens: 10e6 } as const;

/**
 * Tokens that a tool's day read from a cache, though the tool says that it wrote none. What is read was written
 * within the hour or so that caches last; below a million tokens it may have been written before midnight.
 */
export const READS_WITHOUT_WRITES = { note: 1e6 } as const;

/** All that one account's days show by themselves and beside the field. */
export function findingsOf(days: readonly ToolDay[], field: Field): Finding[] {
  const tools = groupBy(days, ({ tool }) => tool);
  const ofTools = [...tools].flatMap(([tool, ofTool]) => [
    inputShare(tool, ofTool),
    readsWithoutWrites(tool, ofTool),
  ]);
  return [outputRate(days), ...ofTools, ...outlierFindings(days, field)].filter(
    (finding) => finding !== null,
  );
}

function outputRate(days: readonly ToolDay[]): Finding | null {
  const byDay = [...groupBy(days, ({ day }) => day)];
  const suspects = byDay.flatMap(([day, parts]): Suspect[] => {
    const output = parts.reduce((sum, part) => sum + part.output, 0);
    const verdict = verdictAbove(output, OUTPUT_RATE);
    if (!verdict || !parts.some(({ isNew }) => isNew)) return [];
    return [{ day, verdict, statistic: output, threshold: OUTPUT_RATE[verdict], amount: output }];
  });
  return findingAbout({ check: 'output_rate', tool: '', n: byDay.length }, suspects);
}

function inputShare(tool: string, days: readonly ToolDay[]): Finding | null {
  const looked = days.filter(
    (day) => day.cache_read !== null && totalOf(day) >= INPUT_SHARE.day_tokens,
  );
  const suspects = looked.flatMap((day): Suspect[] => {
    const share = day.input / totalOf(day);
    if (!day.isNew || share >= INPUT_SHARE.note) return [];
    const verdict = share < INPUT_SHARE.hold ? 'hold' : 'note';
    const threshold = INPUT_SHARE[verdict];
    return [{ day: day.day, verdict, statistic: share, threshold, amount: totalOf(day) }];
  });
  return findingAbout({ check: 'input_share', tool, n: looked.length }, suspects, isLess);
}

function readsWithoutWrites(tool: string, days: readonly ToolDay[]): Finding | null {
  const suspects = days.flatMap(({ day, isNew, cache_write, cache_read }): Suspect[] => {
    const read = cache_read ?? 0;
    const threshold = READS_WITHOUT_WRITES.note;
    if (!isNew || cache_write !== 0 || read < threshold) return [];
    return [{ day, verdict: 'note', statistic: read, threshold, amount: read }];
  });
  return findingAbout({ check: 'reads_without_writes', tool, n: days.length }, suspects);
}

const isLess = (a: number, b: number): boolean => a < b;
