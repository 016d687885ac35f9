/**
 * Plausibility checks of an account's days before they are ranked. A check never rejects a submission. It adds a
 * note, or puts days on hold until the admin decides. Each threshold has a stated reason and was tested on
 * generated honest and dishonest accounts (`scripts/bench/plausibility.mjs`).
 *
 * @module
 */
import { totalOf } from '../counting/bucket.ts';
import { type Field, type HeldLevels, outlierFindings } from './day-outlier.ts';
import {
  type CheckFinding,
  type Suspect,
  type ToolDay,
  findingAbout,
  verdictAbove,
  yieldCounts,
} from './finding.ts';
import { repeatedDays } from './repeated-days.ts';
import { roundFindings } from './round-counts.ts';
import { groupBy } from '../text/group.ts';

/**
 * Output tokens of an account in a UTC day. A model writes about 100 tokens a second in one stream, so 50 M are six
 * streams around the clock and 200 M are twenty-three. Hardly anyone runs that many with one account.
 */
export const OUTPUT_RATE = { note: 50e6, hold: 200e6 } as const;

/**
 * Fresh input tokens per request, for the smallest number of requests that a tool's day can consist of. A request
 * has at least one fresh token, reads at most the largest context from the cache, and writes at most the longest
 * answer. Real requests are mostly a tenth of that. A day below ten million tokens has too few requests for a note,
 * and without any fresh input there is no yield to gain.
 */
export const INPUT_SHARE = {
  note: 4,
  hold: 1,
  context: 2e6,
  answer: 256_000,
  day_tokens: 10e6,
} as const;

/**
 * The share of fresh input, on a tool's day, in buckets that report no cache reads, which yield leaves out, while
 * the other buckets have nearly all of the output. No tool splits a request like that. Small days are ignored.
 */
export const HIDDEN_INPUT = { hold: 0.5, output: 0.1, day_tokens: 1e6 } as const;

/**
 * Tokens that a tool read from a cache on a day on which it reports no cache writes. Caches last an hour or so, so
 * they must have been written shortly before. Below a million tokens, that may have been before midnight.
 */
export const READS_WITHOUT_WRITES = { note: 1e6 } as const;

/**
 * Cache reads per token written to the cache and per request that the day's input and output allow. Each request
 * reads a written token at most once, and has at least one token of input and of output. Only a note, because other
 * members of an organization can have written what a request reads, and tools add up models that do not report writes.
 * Below ten million tokens, the cache may have been written before midnight.
 */
export const READS_PER_WRITE = { note: 1, reads: 10e6 } as const;

const NONE_HELD: HeldLevels = () => ({});

/** The findings about one account's days, on their own and compared with the field. */
export function findingsOf(
  days: readonly ToolDay[],
  field: Field,
  held: HeldLevels = NONE_HELD,
): CheckFinding[] {
  const tools = groupBy(days, ({ tool }) => tool);
  const ofTools = [...tools].flatMap(([tool, ofTool]) => [
    inputShare(tool, ofTool),
    hiddenInput(tool, ofTool),
    readsWithoutWrites(tool, ofTool),
    readsPerWrite(tool, ofTool),
    ...roundFindings(tool, ofTool),
  ]);
  const ofAccount = [outputRate(days), repeatedDays(days), ...outlierFindings(days, field, held)];
  return [...ofAccount, ...ofTools].filter((finding) => finding !== null);
}

function outputRate(days: readonly ToolDay[]): CheckFinding | null {
  const byDay = [...groupBy(days, ({ day }) => day)];
  const suspects = byDay.flatMap(([day, parts]): Suspect[] => {
    const output = parts.reduce((sum, part) => sum + part.output, 0);
    const verdict = verdictAbove(output, OUTPUT_RATE);
    if (!verdict || !parts.some(({ isNew }) => isNew)) return [];
    return [{ day, verdict, statistic: output, threshold: OUTPUT_RATE[verdict], amount: output }];
  });
  return findingAbout({ check: 'output_rate', tool: '', n: byDay.length }, suspects);
}

function inputShare(tool: string, days: readonly ToolDay[]): CheckFinding | null {
  const looked = days.filter(({ cache_read }) => cache_read !== null);
  const suspects = looked.flatMap((day): Suspect[] => {
    const { input, output, cache_read } = yieldCounts(day);
    const requests = Math.max((cache_read ?? 0) / INPUT_SHARE.context, output / INPUT_SHARE.answer);
    if (!day.isNew || input >= INPUT_SHARE.note * requests) return [];
    const verdict = input > 0 && input < INPUT_SHARE.hold * requests ? 'hold' : 'note';
    if (verdict === 'note' && totalOf(day) < INPUT_SHARE.day_tokens) return [];
    const threshold = INPUT_SHARE[verdict];
    // The amount grows as the share shrinks, so that a release does not permit anything worse.
    const amount = requests / Math.max(1, input);
    return [{ day: day.day, verdict, statistic: input / requests, threshold, amount }];
  });
  return findingAbout({ check: 'input_share', tool, n: looked.length }, suspects, isLess);
}

function hiddenInput(tool: string, days: readonly ToolDay[]): CheckFinding | null {
  const suspects = days.flatMap((day): Suspect[] => {
    const { input, output, silent } = day;
    const share = silent.input / input;
    if (!day.isNew || day.cache_read === null || totalOf(day) < HIDDEN_INPUT.day_tokens) return [];
    const isSplit = share > HIDDEN_INPUT.hold && silent.output < HIDDEN_INPUT.output * output;
    if (!isSplit) return [];
    const threshold = HIDDEN_INPUT.hold;
    return [{ day: day.day, verdict: 'hold', statistic: share, threshold, amount: silent.input }];
  });
  return findingAbout({ check: 'hidden_input', tool, n: days.length }, suspects);
}

function readsWithoutWrites(tool: string, days: readonly ToolDay[]): CheckFinding | null {
  const suspects = days.flatMap(({ day, isNew, cache_write, cache_read }): Suspect[] => {
    const read = cache_read ?? 0;
    const threshold = READS_WITHOUT_WRITES.note;
    if (!isNew || cache_write !== 0 || read < threshold) return [];
    return [{ day, verdict: 'note', statistic: read, threshold, amount: read }];
  });
  return findingAbout({ check: 'reads_without_writes', tool, n: days.length }, suspects);
}

function readsPerWrite(tool: string, days: readonly ToolDay[]): CheckFinding | null {
  const suspects = days.flatMap((toolDay): Suspect[] => {
    const { day, isNew, cache_write } = toolDay;
    const { input, output, cache_read } = yieldCounts(toolDay);
    const read = cache_read ?? 0;
    // Without input or output, other checks find the day, or it has no yield.
    const most = (cache_write ?? 0) * Math.min(input, output);
    const threshold = READS_PER_WRITE.note;
    if (!isNew || most === 0 || read < READS_PER_WRITE.reads || read <= threshold * most) return [];
    return [{ day, verdict: 'note', statistic: read / most, threshold, amount: read }];
  });
  return findingAbout({ check: 'reads_per_write', tool, n: days.length }, suspects);
}

const isLess = (a: number, b: number): boolean => a < b;
