/**
 * The ways in which yield is lost between pillars: of each the ratio that tells it, and the change of counts
 * that would mend it. A change keeps what the habit cannot alter: the context that is needed (fresh input
 * becomes a cache read, a repeated write becomes a read), or the work that came out.
 *
 * @module
 */
import type { LeakName, LeakRatio } from '#core/schema/improvement.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { totalOf } from '../counting/bucket.ts';
import { reportsRead, reportsReadWrite } from '../metrics/day-series.ts';

/** Counts of a day on which the leak's ratio is defined. */
export interface LeakCounts extends Pillars {
  cache_read: number;
}

export interface Leak {
  name: LeakName;
  ratio: LeakRatio;
  /** Whether a bucket reports what the ratio needs. */
  reports: (bucket: Pillars) => boolean;
  /** The pillar that holds the tokens that leak. */
  source: 'cache_write' | 'input';
  /** Which days it looks at: all, those as long as usual, or short ones. */
  days: 'all' | 'long' | 'short';
  /** What the change keeps: days that differ in it did other work, and are not compared. */
  kept: (counts: LeakCounts) => number[];
  /** How many tokens have to move until the ratio is at the target, rounded down. */
  distance: (counts: LeakCounts, target: number) => number;
  /** The counts once so many tokens have moved. */
  change: (counts: LeakCounts, tokens: number) => LeakCounts;
  habit: string;
  trade_off: string;
}

/** Null where the ratio is undefined. */
export function ratioOf(ratio: LeakRatio, counts: Pillars): number | null {
  const { input, output, cache_write, cache_read } = counts;
  const part = ratio === 'velocity' ? output : cache_read;
  const whole = ratio === 'reuse' ? cache_write : input;
  return part === null || !whole ? null : part / whole;
}

function totalAndOutput(counts: LeakCounts): number[] {
  return [totalOf(counts), counts.output];
}

/** Context that was sent anew is read from the cache instead: the total stays. */
const freshInput: Leak = {
  name: 'fresh_input',
  ratio: 'leverage',
  reports: reportsRead,
  source: 'input',
  days: 'all',
  kept: totalAndOutput,
  distance: ({ input, cache_read }, target) => (target * input - cache_read) / (1 + target),
  change: (counts, tokens) => ({
    ...counts,
    input: counts.input - tokens,
    cache_read: counts.cache_read + tokens,
  }),
  habit:
    'Go on in a session whose context is cached already, instead of starting anew or pasting the same material again.',
  trade_off:
    'A long session also carries what is no longer needed: it is read again at every turn, and can mislead the assistant.',
};

/** The same output comes out of a smaller conversation: leverage stays. */
const lowTransmission: Leak = {
  name: 'low_transmission',
  ratio: 'velocity',
  reports: reportsRead,
  source: 'input',
  days: 'all',
  kept: ({ input, output, cache_read }) => [output, cache_read / input],
  distance: ({ input, output }, target) => (output > 0 ? input - output / target : 0),
  change: (counts, tokens) => {
    const kept = (counts.input - tokens) / counts.input;
    return {
      input: counts.input - tokens,
      output: counts.output,
      cache_write: counts.cache_write && Math.floor(counts.cache_write * kept),
      cache_read: Math.floor(counts.cache_read * kept),
    };
  },
  habit:
    'Give a task whole and let the assistant carry it through, instead of feeding it in piece by piece.',
  trade_off:
    'Reading and discussing do not show in output tokens: with less of them the result may be worse.',
};

/** What was written to the cache again is read from it instead: the total stays. */
const fewerWrites = {
  ratio: 'reuse',
  reports: reportsReadWrite,
  source: 'cache_write',
  kept: totalAndOutput,
  distance: ({ cache_write, cache_read }, target) =>
    (target * (cache_write ?? 0) - cache_read) / (1 + target),
  change: (counts, tokens) => ({
    ...counts,
    cache_write: (counts.cache_write ?? 0) - tokens,
    cache_read: counts.cache_read + tokens,
  }),
} as const satisfies Partial<Leak>;

const unreadCacheWrites: Leak = {
  name: 'unread_cache_writes',
  ...fewerWrites,
  days: 'long',
  habit:
    'Take the turns of one task without long breaks, so that what was written to the cache is still there when it is needed.',
  trade_off:
    'There is less time to think between turns; where a task needs a break, writing the cache again is its price.',
};

const coldShortDays: Leak = {
  name: 'cold_short_days',
  ...fewerWrites,
  days: 'short',
  habit:
    'Put small errands into a session that is running anyway, instead of opening one for a short day.',
  trade_off: 'Errands wait for the next session, and a session of many things is harder to follow.',
};

export const LEAKS: readonly Leak[] = [
  freshInput,
  unreadCacheWrites,
  lowTransmission,
  coldShortDays,
];
