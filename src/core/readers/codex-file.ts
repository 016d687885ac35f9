/** What one Codex rollout says, as plain JSON. */
import type { Pillars } from '../schema/usage.ts';
import { type FileUsage, logNameOf } from './reader.ts';
import { type Fields, arePossible, countOf } from './fields.ts';

/** Counts that a rollout reports, once each. */
export interface Report extends Pillars {
  /** The response of a `token_usage_record`, empty if it is not named; null for a `token_count`. */
  response_id: string | null;
  /** The running total and the counts of this response, as tuples; empty if not told. */
  total: string;
  last: string;
  /** When the current turn began, in milliseconds since the epoch, if its id tells. */
  turnMs: number | null;
  timestampMs: number;
  model: string;
}

/** The session that a rollout belongs to. */
export interface Session {
  id: string;
  /** The session that it was forked from or spawned by; empty if none. */
  parent: string;
  provider: string;
  /** When the rollout was begun, null if not told. */
  startMs: number | null;
}

/** What one rollout says. */
export interface CodexUsage extends FileUsage {
  session: Session;
  /** Whether the rollout itself names its session: what follows then are sessions replayed in it. */
  is_named: boolean;
  /** Ids and parents of the sessions replayed in it. */
  ancestors: [id: string, parent: string][];
  reports: Report[];
  /** The responses that compacted the conversation. */
  compactions: string[];
  /** Where reading goes on. */
  model: string;
  turnMs: number | null;
  total: Tokens | null;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** What an unread rollout says: its name ends with its session's id. */
export function emptyUsage(path: string): CodexUsage {
  const [id] = UUID.exec(logNameOf(path)) ?? [path];
  return {
    path,
    skipped: {},
    session: { id: id.toLowerCase(), parent: '', provider: 'openai', startMs: null },
    is_named: false,
    ancestors: [],
    reports: [],
    compactions: [],
    model: 'unknown',
    turnMs: null,
    total: null,
  };
}

/** A rollout's usage that can be added to; what its lists hold never changes. */
export function copyOf(usage: CodexUsage): CodexUsage {
  const { skipped, ancestors, reports, compactions } = usage;
  return {
    ...usage,
    skipped: { ...skipped },
    ancestors: [...ancestors],
    reports: [...reports],
    compactions: [...compactions],
  };
}

const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/**
 * The instant in a version 7 UUID, in milliseconds since the epoch; null for anything else.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9562#section-5.7 | RFC 9562, section 5.7}
 */
export function uuidMs(id: unknown): number | null {
  const [, high, low] = (typeof id === 'string' && UUID_V7.exec(id)) || [];
  return high === undefined || low === undefined ? null : parseInt(high + low, 16);
}

/** A report's name within its file. */
export function reportKey({ response_id, total, last, timestampMs }: Report): string {
  if (response_id) return `response ${response_id}`;
  // Without a running total, equal counts may be two responses.
  const told = total === '' || response_id === '' ? `${last} at ${timestampMs}` : last;
  return `${response_id === null ? 'count' : 'record'} ${total} ${told}`;
}

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
