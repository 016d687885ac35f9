/**
 * Claude Code: one JSON object in each line. A response is written again for each content block and while it streams,
 * and is copied when a session is resumed, forked or compacted. Lines are therefore candidates that are grouped by
 * response. The best line of a group counts, as a whole.
 *
 * Other programs give Claude Code other folders. Cherry Studio: junhoyeo/tokscale `crates/tokscale-core/src/clients.rs`, vshulcz/deja-vu
 * `docs` (verified in September 2026). cc-mirror: junhoyeo/tokscale issue 610.
 *
 * @module
 */
import { type LoggedResponse, UNKNOWN, type Pillars } from '../schema/usage.ts';
import { totalOf } from '../domain/counting/bucket.ts';
import {
  type LogPlace,
  type Surroundings,
  applicationFolder,
  configFolder,
  listed,
  under,
} from './shared/places.ts';
import type { FileReader, FileUsage, Reader, SkipReason } from './shared/reader.ts';
import { openLines } from './shared/responses.ts';
import {
  type Fields,
  arePossible,
  countOf,
  fieldsOf,
  idOf,
  instantOf,
  labelOf,
} from './shared/fields.ts';

/** The usage in one transcript. */
interface ClaudeCodeUsage extends FileUsage {
  /** One entry for each response: the best candidate, with the earliest time. */
  responses: Candidate[];
}

/** Reader of Claude Code's transcripts, including those of Claude Desktop's Cowork. */
export const claudeCode: Reader<ClaudeCodeUsage> = {
  tool: 'claude-code',
  name: 'Claude Code',
  rules: 2,
  variables: ['CLAUDE_CONFIG_DIR', 'XDG_CONFIG_HOME'],
  places,
  needles: ['"input_tokens"'],
  mapping: {
    logs: '`~/.claude/projects` and `~/.config/claude/projects`. Cowork of Claude Desktop: `Claude/local-agent-mode-sessions` in `~/Library/Application Support` or `%APPDATA%`. Claude Code in Cherry Studio and in variants of cc-mirror, in their folders',
    input: '`input_tokens`: tokens neither read from the cache nor written to it',
    output: '`output_tokens`, including thinking',
    cache_write:
      '`cache_creation_input_tokens`, or the sum of `ephemeral_5m_input_tokens` and `ephemeral_1h_input_tokens` if that is larger',
    cache_read: '`cache_read_input_tokens`',
    unknown: 'A cache count that the log line does not contain. Some gateways omit both.',
    once: 'Claude Code writes a response again for each content block, while it streams, and when a session is resumed, forked or compacted. All these lines count as one response. `opbench` prefers the main line to a copy by a sub-agent, then the line with the most output. All counts come from that line. Advisor models, and attempts that were refused before another model took over, count separately under their own model.',
    missing:
      'Transcripts that Claude Code has deleted, by default after 30 days. Requests that leave no line, such as titles and compaction.',
  },
  open,
  merge,
};

const LINES = ['**/*.jsonl', '**/*.jsonl.zst'];

function places(at: Surroundings): LogPlace[] {
  return [...claudeFolders(at), ...coworkFolders(at)];
}

/** The folders that other programs give Claude Code: variants of cc-mirror, and agents of Cherry Studio. */
function otherFolders(at: Surroundings): LogPlace[] {
  return [
    ...under(at.home, '.cc-mirror').map((path) => within(path, ['*/config/projects'])),
    ...under(applicationFolder(at), 'CherryStudio').map((path) =>
      within(path, ['Data/Agents/.claude/projects', '.claude/projects']),
    ),
  ];
}

function within(path: string, folders: readonly string[]): LogPlace {
  return { path, logs: folders.flatMap((folder) => LINES.map((lines) => `${folder}/${lines}`)) };
}

function claudeFolders(at: Surroundings): LogPlace[] {
  const named = listed(at, 'CLAUDE_CONFIG_DIR', []);
  if (named.length > 0) return named.map((folder) => ({ ...namedFolder(folder), logs: LINES }));
  const folders = [
    ...under(at.home, '.claude', 'projects'),
    ...under(configFolder(at), 'claude', 'projects'),
  ];
  return [...folders.map((path) => ({ path, logs: LINES })), ...otherFolders(at)];
}

/** The variable may contain the folder of logs or its parent. */
function namedFolder(folder: string): LogPlace {
  if (/(^|[/\\])projects[/\\]?$/.test(folder)) return { path: folder, inside: 'projects' };
  return { path: `${folder}/projects` };
}

/** The sessions of Claude Desktop, also if it was installed from the Microsoft Store. */
function coworkFolders(at: Surroundings): LogPlace[] {
  if (at.platform !== 'darwin' && at.platform !== 'win32') return [];
  const sessions = 'Claude/local-agent-mode-sessions';
  const inStore = `Claude_*/LocalCache/Roaming/${sessions}/`;
  const store = at.platform === 'win32' ? under(at.env.LOCALAPPDATA, 'Packages') : [];
  return [
    ...under(applicationFolder(at), sessions).map((folder) => cowork(folder)),
    ...store.map((folder) => cowork(folder, inStore)),
  ];
}

/** `audit.jsonl` repeats a part of the transcripts and is left out. */
function cowork(path: string, folders = ''): LogPlace {
  const logs = LINES.map((pattern) => `${folders}**/.claude/projects/${pattern}`);
  return { path, logs, except: ['**/audit.jsonl'] };
}

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

/** Adds a candidate to its group. The better one is kept, with the earlier timestamp. */
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
 * Compares candidates: a main line before a sidechain line, then more output, then the larger total. One line is used as a
 * whole, never the maximum of each field, because a fallback during streaming writes a second line with another model.
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

/** A candidate's counts as text, which makes the choice between equal candidates independent of their order. */
function contentOf({ model, input, output, cache_write, cache_read, extras }: Candidate): string {
  const extra = extras.length > 0 ? JSON.stringify(extras) : '';
  return `${model}\n${input} ${output} ${cache_write} ${cache_read} ${extra}`;
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
 * Adds responses whose ID is unique only within a session, the best first. The same ID at the same millisecond with the
 * same counts is a copy in another session. The key consists of ID and time, because any of these sessions may be deleted
 * first.
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

/** Adds the response and its extras. A response without tokens is not usage. */
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

/** A response as one line describes it. */
interface Candidate extends Spent {
  /** Lines with the same key are about the same response. */
  key: string;
  /** The response's ID if it is unique only within its session, else null. */
  session_bound_id: string | null;
  timestampMs: number;
  sidechain: boolean;
  /** Tokens outside the line's own counts: advisors, refused attempts. */
  extras: readonly Spent[];
}

/** The result of reading a line: a response, the reason for skipping it, or `other` if it is not a response. */
type Read = Candidate | SkipReason | 'other';

/** The model of lines that Claude Code creates itself to show an error. */
const SYNTHETIC = '<synthetic>';

const NO_EXTRAS: readonly Spent[] = [];

/** Reads one line. `path` replaces a missing session ID. */
function readLine(line: Fields, path: string): Read {
  if (line.type !== 'progress') return readResponse(line, path);
  const echo = fieldsOf(fieldsOf(line.data)?.message);
  if (echo === null) return 'other';
  // An echo is always from a sub-agent, even if it does not say so.
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

  // Written out, because spreading would take as long as everything else.
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
 * The key of a response. IDs of Anthropic's own services are unique. Some gateways reuse IDs, so these are combined with
 * the request ID, or else with the session ID. The key is empty without any ID, and null if an ID is invalid.
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

/** The total and its split by lifetime should be equal. If they differ, one is incomplete, so the larger is used. */
function readCacheWrite(usage: Fields): number | null {
  const split = fieldsOf(usage.cache_creation) ?? {};
  const flat = countOf(usage.cache_creation_input_tokens);
  const fiveMinutes = countOf(split.ephemeral_5m_input_tokens);
  const oneHour = countOf(split.ephemeral_1h_input_tokens);
  if (flat === null && fiveMinutes === null && oneHour === null) return null;
  return Math.max(flat ?? 0, (fiveMinutes ?? 0) + (oneHour ?? 0));
}

/** The tokens that attempts add to a response, or the reason why one is invalid. */
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
 * An advisor is never in the response's own counts. Other attempts are, except after a fallback: the counts are then those
 * of the model that answered, and the refused attempt is extra.
 */
function isExtra({ type, model }: Fields, served: string, hasFallback: boolean): boolean {
  if (type === 'advisor_message') return true;
  const isNamed = typeof model === 'string' && model !== '';
  return hasFallback && type === 'message' && isNamed && labelOf(model) !== served;
}
