/** One line of a Claude Code transcript: whose response it tells of, and what that response used. */
import type { Pillars } from '../schema/usage.ts';
import { type Fields, arePossible, countOf, fieldsOf, idOf, instantOf, labelOf } from './fields.ts';
import type { SkipReason } from './reader.ts';

/** Tokens spent on a model. */
export interface Spent extends Pillars {
  model: string;
}

/** What a line says about a response. */
export interface Candidate extends Spent {
  /** Lines with the same key are about the same response. */
  key: string;
  /** The response's id where it only names it within its session, else null. */
  session_bound_id: string | null;
  timestampMs: number;
  sidechain: boolean;
  /** What was spent outside the line's own counts: advisors, refused attempts. */
  extras: readonly Spent[];
}

/** What a line tells: a response; something impossible of one; or, `other`, of none. */
export type Read = Candidate | SkipReason | 'other';

/** The model of rows that Claude Code makes up itself, to show an error. */
const SYNTHETIC = '<synthetic>';

const NO_EXTRAS: readonly Spent[] = [];

/** Reads one line; `path` stands for a session that is not named. */
export function readLine(line: Fields, path: string): Read {
  if (line.type !== 'progress') return readResponse(line, path);
  const echo = fieldsOf(fieldsOf(line.data)?.message);
  if (echo === null) return 'other';
  // What is echoed comes from a sub-agent, even where the echo does not say so.
  const { timestamp, sessionId } = { ...line, ...echo };
  return readResponse({ ...echo, timestamp, sessionId, isSidechain: true }, path);
}

function readResponse(line: Fields, path: string): Read {
  const message = fieldsOf(line.message);
  const usage = fieldsOf(message?.usage);
  const isResponse = line.type === 'assistant' || line.type === undefined;
  if (!isResponse || message === null || usage === null) return 'other';
  if (message.model === SYNTHETIC) return 'other';
  return readCandidate(line, message, usage, path);
}

function readCandidate(
  line: Fields,
  message: Fields,
  usage: Fields,
  path: string,
): Candidate | SkipReason {
  const timestampMs = instantOf(line.timestamp);
  const naming = nameResponse(line, message, path);
  const spent = readSpent(usage, message.model);
  if (typeof spent === 'string') return spent;
  const extras = readExtras(usage, spent.model);
  if (typeof extras === 'string') return extras;
  if (naming === null) return 'id';
  if (Number.isNaN(timestampMs)) return 'time';

  // Written out: spreading would take as long as all the rest.
  return {
    key: naming.key || `\ncontent ${timestampMs} ${JSON.stringify(spent)}`,
    session_bound_id: naming.session_bound_id,
    timestampMs,
    sidechain: line.isSidechain === true,
    model: spent.model,
    input: spent.input,
    output: spent.output,
    cache_write: spent.cache_write,
    cache_read: spent.cache_read,
    extras,
  };
}

/**
 * The ids of Anthropic's own services are unique. Others are used again by some gateways: they name
 * a response together with its request, or else with its session. The key is empty if there is no
 * id at all; null if one is impossible.
 */
function nameResponse(line: Fields, message: Fields, path: string) {
  const id = idOf(message.id);
  const request = idOf(line.requestId);
  const session = idOf(line.sessionId);
  if (id === null || request === null || session === null) return null;
  if (id.startsWith('msg_')) return { key: id, session_bound_id: null };
  if (request !== '') return { key: `${id}\nrequest ${request}`, session_bound_id: null };
  if (id === '') return { key: '', session_bound_id: null };
  return { key: `${id}\nsession ${session || path}`, session_bound_id: id };
}

function readSpent(usage: Fields, name: unknown): Spent | 'name' | 'count' {
  const model = labelOf(name);
  if (model === null) return 'name';
  const spent = {
    model,
    input: countOf(usage.input_tokens) ?? 0,
    output: countOf(usage.output_tokens) ?? 0,
    cache_write: readCacheWrite(usage),
    cache_read: countOf(usage.cache_read_input_tokens),
  };
  return arePossible(spent) ? spent : 'count';
}

/** The flat count and its split by lifetime tell the same; where they differ one is incomplete. */
function readCacheWrite(usage: Fields): number | null {
  const split = fieldsOf(usage.cache_creation) ?? {};
  const flat = countOf(usage.cache_creation_input_tokens);
  const fiveMinutes = countOf(split.ephemeral_5m_input_tokens);
  const oneHour = countOf(split.ephemeral_1h_input_tokens);
  if (flat === null && fiveMinutes === null && oneHour === null) return null;
  return Math.max(flat ?? 0, (fiveMinutes ?? 0) + (oneHour ?? 0));
}

/** What the attempts of a response add to its counts, or why one is impossible. */
function readExtras(usage: Fields, served: string): readonly Spent[] | 'name' | 'count' {
  if (!Array.isArray(usage.iterations)) return NO_EXTRAS;
  const attempts = usage.iterations.map(fieldsOf).filter((attempt) => attempt !== null);
  const hasFallback = attempts.some(({ type }) => type === 'fallback_message');
  const extras: Spent[] = [];
  for (const attempt of attempts) {
    if (!isExtra(attempt, served, hasFallback)) continue;
    const spent = readSpent(attempt, attempt.model);
    if (typeof spent === 'string') return spent;
    extras.push(spent);
  }
  return extras.length > 0 ? extras : NO_EXTRAS;
}

/**
 * An advisor is never in the response's own counts. Plain attempts are, except after a fallback:
 * then those counts are the served model's, and the refused one was paid beside them.
 */
function isExtra({ type, model }: Fields, served: string, hasFallback: boolean): boolean {
  if (type === 'advisor_message') return true;
  const isNamed = typeof model === 'string' && model !== '';
  return hasFallback && type === 'message' && isNamed && labelOf(model) !== served;
}
