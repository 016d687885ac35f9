/**
 * How yield is lost between pillars. Each leak has a ratio that measures it and a change of counts that
 * would fix it. A change keeps what the habit cannot alter: the context that is needed (fresh input becomes a cache
 * read, a repeated write becomes a read), or the output.
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
  /** The pillar with the leaking tokens. */
  source: 'cache_write' | 'input';
  /** Which days are examined: all, those of at least half the usual size, or smaller ones. */
  days: 'all' | 'long' | 'short';
  /** What the change keeps. Days that differ in it did other work and are not compared. */
  kept: (counts: LeakCounts) => number[];
  /** How many tokens must move for the ratio to reach the target; not rounded. */
  distance: (counts: LeakCounts, target: number) => number;
  /** The counts after this many tokens have moved. */
  change: (counts: LeakCounts, tokens: number) => LeakCounts;
  habit: string;
  trade_off: string;
}

/** Null if the ratio is undefined. */
export function ratioOf(ratio: LeakRatio, counts: Pillars): number | null {
  const { input, output, cache_write, cache_read } = counts;
  const part = ratio === 'velocity' ? output : cache_read;
  const whole = ratio === 'reuse' ? cache_write : input;
  return part === null || !whole ? null : part / whole;
}

function totalAndOutput(counts: LeakCounts): number[] {
  return [totalOf(counts), counts.output];
}

/** Context that was sent again is read from the cache instead. The total stays the same. */
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
    'Continue in a session whose context is already cached, instead of starting a new one or pasting the same material again.',
  trade_off:
    'A long session also carries context that is no longer needed. It is read again at every turn and can mislead the assistant.',
};

/** A smaller conversation gives the same output. Leverage stays the same. */
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
    'Give the assistant a complete task and let it finish, instead of feeding it in small pieces.',
  trade_off:
    'Reading and discussing produce few output tokens. With less of them, the result may be worse.',
};

/** Tokens that were written to the cache again are read from it instead. The total stays the same. */
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
    'Work on one task without long breaks, so that the cached context is still there when it is needed.',
  trade_off:
    'There is less time to think between turns. If a task needs a break, the context has to be cached again.',
};

const coldShortDays: Leak = {
  name: 'cold_short_days',
  ...fewerWrites,
  days: 'short',
  habit:
    'Do small tasks in a session that is already open, instead of starting one on a short day.',
  trade_off:
    'Small tasks wait for the next session, and a session about many things is harder to follow.',
};

export const LEAKS: readonly Leak[] = [
  freshInput,
  unreadCacheWrites,
  lowTransmission,
  coldShortDays,
];
