/** Random daily counts with the cases that ranking must decide: ties, zeros, absent cache pillars, gaps. */
import { dayName } from '#core/domain/counting/day.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { aBucket } from '../board/builders.ts';
import type { Below } from './compare.ts';

const SOURCES = [
  { tool: 'claude-code', provider: 'anthropic', model: 'claude-opus-5' },
  { tool: 'claude-code', provider: 'anthropic', model: 'claude-haiku-5' },
  { tool: 'codex', provider: 'openai', model: 'gpt-6' },
  { tool: 'gemini-cli', provider: 'google', model: 'gemini-4' },
] as const;

/** Small numbers, so that operators often have equal ones. */
const SHAPES: readonly Partial<Bucket>[] = [
  {},
  {},
  {},
  { output: 20_000 },
  { output: 5_000, cache_read: 3_000_000 },
  { cache_write: null },
  { cache_read: null },
  { cache_read: null, cache_write: null },
  { cache_read: 0, cache_write: 0, input: 900_000 },
  { input: 0 },
  { output: 0 },
  { input: 0, output: 0, cache_read: 0, cache_write: null },
];
const LENGTHS = [1, 3, 8, 16, 16, 20, 30, 45, 100];
/** How many days ago the last day is. */
const ENDED = [0, 0, 0, 0, 0, 0, 1, 1, 3, 7, 29, 88, 200];
const STRIDES = [1, 1, 1, 1, 2, 8, 31];

/** Daily counts of one source that end around a day. */
export function randomUsage(today: number, below: Below): Bucket[] {
  const one = <Value>(values: readonly Value[]) => values[below(values.length)] as Value;
  const [source, shape, length] = [one(SOURCES), one(SHAPES), one(LENGTHS)];
  const [stride, last] = [one(STRIDES), today - one(ENDED)];
  const isUneven = below(2) === 0;
  const count = Math.min(length, Math.ceil(200 / stride));
  return Array.from({ length: count }, (_, index) => {
    const bucket = aBucket({ ...source, ...shape, day: dayName(last - index * stride) });
    const factor = isUneven ? 1 + below(8) : 1;
    return { ...bucket, input: bucket.input * factor, output: bucket.output * (1 + below(factor)) };
  });
}
