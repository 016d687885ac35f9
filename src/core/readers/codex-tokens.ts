/** Codex' token counts: a tuple that names a response, and the pillars that it comes to. */
import type { Pillars } from '../schema/usage.ts';
import type { Fields } from './fields.ts';
import { arePossible, countOf } from './fields.ts';

/** One of Codex' sets of counts. `input` holds the cached and the cache-writing tokens too. */
export interface Tokens {
  input: number;
  cached: number | null;
  cache_write: number | null;
  output: number;
  reasoning: number;
  total: number;
}

/** Reads a set of counts; null if one of them is impossible. */
export function readTokens(usage: Fields): Tokens | null {
  const input = countOf(usage.input_tokens) ?? 0;
  const cached = countOf(usage.cached_input_tokens);
  const cache_write = countOf(usage.cache_write_input_tokens);
  const output = countOf(usage.output_tokens) ?? 0;
  const reasoning = countOf(usage.reasoning_output_tokens) ?? 0;
  const total = countOf(usage.total_tokens) ?? 0;
  // A sum is not a number if one part is not.
  const sum = input + (cached ?? 0) + (cache_write ?? 0) + output + reasoning + total;
  return Number.isNaN(sum) ? null : { input, cached, cache_write, output, reasoning, total };
}

/**
 * The counts as text. An absent count is written as zero, since a replay by another version of
 * Codex may have filled it in.
 */
export function tupleOf({ input, cached, cache_write, output, reasoning, total }: Tokens): string {
  return `${input},${cached ?? 0},${cache_write ?? 0},${output},${reasoning},${total}`;
}

/** Whether nothing was spent; a full context is told by `total` alone. */
export function areZero({ input, cached, cache_write, output }: Tokens): boolean {
  return input + output + (cached ?? 0) + (cache_write ?? 0) === 0;
}

/** The pillars' part of what was added to `before`; counts that went back have started anew. */
export function growth(before: Tokens | null, now: Tokens): Tokens {
  if (before === null) return now;
  const spent = {
    input: now.input - before.input,
    cached: now.cached === null ? null : now.cached - (before.cached ?? 0),
    cache_write: now.cache_write === null ? null : now.cache_write - (before.cache_write ?? 0),
    output: now.output - before.output,
  };
  const wentBack = Object.values(spent).some((count) => count !== null && count < 0);
  return wentBack ? now : { ...now, ...spent };
}

/** The pillars; null if the cached and written parts are more than the input that holds them. */
export function pillarsOf({ input, cached, cache_write, output }: Tokens): Pillars | null {
  const fresh = input - (cached ?? 0) - (cache_write ?? 0);
  const pillars = { input: fresh, output, cache_write, cache_read: cached };
  return arePossible(pillars) ? pillars : null;
}
