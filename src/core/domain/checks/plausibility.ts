/**
 * What an account's days are asked before they are ranked. A check never refuses a write: it notes, or holds
 * until the admin decides. Every number here was chosen by its reason and tried on generated honest and
 * dishonest accounts (`scripts/bench/plausibility.mjs`).
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
import { groupBy } from '../text/group.ts';

/**
 * Output tokens of an account in a UTC day. A model writes about 100 tokens a second in one stream: 50 M are six
 * streams around the clock, 200 M are twenty-three. People who run that many exist, but hardly with one account.
 */
export const OUTPUT_RATE = { note: 50e6, hold: 200e6 } as const;

/**
 * Fresh input tokens for each of the fewest requests that a tool's day can have been. A request has one at least,
 * reads no more from the cache than the largest context, and writes no more than the longest answer; real ones are
 * mostly a tenth of that. Below ten million tokens a day is too few requests to note anything, and without any
 * fresh input there is no yield to gain.
 */
export const INPUT_SHARE = {
  note: 4,
  hold: 1,
  context: 2e6,
  answer: 256_000,
  day_tokens: 10e6,
} as const;

/**
 * The share of a tool's day's fresh input in buckets that report no cache reads, which yield leaves out, while the
 * other buckets hold nearly all output: no tool logs one request in two such halves. Small days are let pass.
 */
export const HIDDEN_INPUT = { hold: 0.5, output: 0.1, day_tokens: 1e6 } as const;

/**
 * Tokens that a tool's day read from a cache, though the tool says that it wrote none. What is read was written
 * within the hour or so that caches last; below a million tokens it may have been written before midnight.
 */
export const READS_WITHOUT_WRITES = { note: 1e6 } as const;

const NONE_HELD: HeldLevels = () => ({});

/** All that one account's days show by themselves and beside the field. */
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
  ]);
  return [outputRate(days), ...ofTools, ...outlierFindings(days, field, held)].filter(
    (finding) => finding !== null,
  );
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
    // The smaller the share, the larger the amount, so that a release opens the day for nothing worse.
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

const isLess = (a: number, b: number): boolean => a < b;
