/**
 * Claude Code: one JSON object a line. A response is written again for each of its content blocks
 * and while it streams, and copied whenever a session is resumed, forked or compacted, so lines are
 * candidates that are grouped by response; the best line of a group counts, as a whole.
 *
 * @module
 */
import { type LoggedResponse, UNKNOWN, type Pillars } from '../schema/usage.ts';
import { totalOf } from '../domain/counting/bucket.ts';
import type { FileReader, FileUsage, Reader, SkipReason } from './reader.ts';
import { openLines } from './responses.ts';
import { type Fields, arePossible, countOf, fieldsOf, idOf, instantOf, labelOf } from './fields.ts';

/** What one transcript says. */
interface ClaudeCodeUsage extends FileUsage {
  /** One entry a response, the best seen, dated at the first. */
  responses: Candidate[];
}

/** Reader of Claude Code's transcripts, those of Claude Desktop's Cowork included. */
export const claudeCode: Reader<ClaudeCodeUsage> = {
  tool: 'claude-code',
  rules: 2,
  needles: ['"input_tokens"'],
  open,
  merge,
};

function open(path: string, before?: ClaudeCodeUsage): FileReader<ClaudeCodeUsage> {
  const groups = new Map<string, Candidate>();
  for (const candidate of before?.responses ?? []) addCandidate(groups, candidate);
  return openLines(path, before, {
    read(fields, skip) {
      const read = readLine(fields, path);
      if (typeof read !== 'string') addCandidate(groups, read);
      else if (read !== 'other') skip(read);
    },
    said: () => ({ responses: [...groups.values()] }),
  });
}

/** Adds a candidate to its group: the better one stays, with the earlier of both timestamps. */
function addCandidate(groups: Map<string, Candidate>, candidate: Candidate): void {
  const rival = groups.get(candidate.key);
  if (rival === undefined) {
    groups.set(candidate.key, candidate);
    return;
  }
  const timestampMs = Math.min(rival.timestampMs, candidate.timestampMs);
  const best = compare(candidate, rival) > 0 ? candidate : rival;
  if (best !== rival || timestampMs !== rival.timestampMs) {
    groups.set(candidate.key, { ...best, timestampMs });
  }
}

/**
 * Main line before sidechain, then more output, then more in total. A whole line wins and never the
 * maximum of each field: a fallback in mid-stream writes a second line with another model.
 */
function compare(a: Candidate, b: Candidate): number {
  return (
    Number(b.sidechain) - Number(a.sidechain) ||
    a.output - b.output ||
    totalWithExtras(a) - totalWithExtras(b) ||
    compareText(contentOf(a), contentOf(b))
  );
}

function totalWithExtras(candidate: Candidate): number {
  return candidate.extras.reduce((sum, extra) => sum + totalOf(extra), totalOf(candidate));
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a > b ? 1 : -1;
}

/** All that counts of a candidate, as text: makes the choice between equals the same in any order. */
function contentOf({ model, input, output, cache_write, cache_read, extras }: Candidate): string {
  const beside = extras.length > 0 ? JSON.stringify(extras) : '';
  return `${model}\n${input} ${output} ${cache_write} ${cache_read} ${beside}`;
}

function merge(files: readonly ClaudeCodeUsage[]): LoggedResponse[] {
  const groups = new Map<string, Candidate>();
  for (const { responses } of files) {
    for (const candidate of responses) addCandidate(groups, candidate);
  }
  const bound: Candidate[] = [];
  const events: LoggedResponse[] = [];
  for (const candidate of groups.values()) {
    if (candidate.session_bound_id === null) addEvents(events, candidate, candidate.key);
    else bound.push(candidate);
  }
  addBound(events, bound);
  return events;
}

/**
 * Adds responses that are known by their session only, the best first. The same id at the same
 * millisecond with the same counts is history copied into a new session. The id and the instant name
 * a response, because any of these sessions may be deleted first.
 */
function addBound(events: LoggedResponse[], candidates: Candidate[]): void {
  const seen = new Set<string>();
  for (const candidate of candidates.sort((a, b) => compare(b, a))) {
    const name = `${candidate.session_bound_id}\nat ${candidate.timestampMs}`;
    const copy = `${name}\n${contentOf(candidate)}`;
    if (seen.has(copy)) continue;
    addEvents(events, candidate, seen.has(name) ? copy : name);
    seen.add(name).add(copy);
  }
}

/** Adds the response and what was spent beside it; a response without tokens is no usage. */
function addEvents(events: LoggedResponse[], candidate: Candidate, key: string): void {
  const { timestampMs, extras } = candidate;
  addEvent(events, timestampMs, key, candidate);
  for (const [index, extra] of extras.entries()) {
    addEvent(events, timestampMs, `${key}\nextra ${index}`, extra);
  }
}

function addEvent(events: LoggedResponse[], timestampMs: number, key: string, spent: Spent): void {
  if (totalOf(spent) === 0) return;
  const { model, input, output, cache_write, cache_read } = spent;
  const provider = model.toLowerCase().includes('claude') ? 'anthropic' : UNKNOWN;
  events.push({ key, timestampMs, provider, model, input, output, cache_write, cache_read });
}

/** Tokens spent on a model. */
interface Spent extends Pillars {
  model: string;
}

/** What a line says about a response. */
interface Candidate extends Spent {
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
type Read = Candidate | SkipReason | 'other';

/** The model of rows that Claude Code makes up itself, to show an error. */
const SYNTHETIC = '<synthetic>';

const NO_EXTRAS: readonly Spent[] = [];

/** Reads one line; `path` stands for a session that is not named. */
function readLine(line: Fields, path: string): Read {
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
