/**
 * The usage in Codex rollouts, as plain JSON, and which of their reports count.
 *
 * - Input includes both caches, output includes reasoning. Older versions do not report cache writes.
 * - Without the counts of the last response, the growth of the total counts. A total that decreased starts again from zero.
 * - One response is one pair of total and last counts under one root of a lineage. Parents are read before children, so a
 *   replay adds nothing, and a response stays on its first day. Equal counts in unrelated sessions are two responses.
 * - If the parent of a fork is gone, only the fork's own part counts: everything after the last turn whose ID is older than
 *   the fork. Without such IDs, everything after the quick replay at the beginning counts, if the file names an ancestor.
 * - A `token_usage_record` counts only in a file without counts, or for a compaction that no count includes.
 *
 * @module
 */
import type { Pillars, LoggedResponse } from '../schema/usage.ts';
import { type FileUsage, logNameOf } from './shared/reader.ts';
import { type Fields, arePossible, countOf } from './shared/fields.ts';
import { loggedAs } from './shared/responses.ts';

/** One report of counts in a rollout. */
export interface TokenReport extends Pillars {
  /** The response ID of a `token_usage_record`, empty if it has none; null for a `token_count`. */
  response_id: string | null;
  /** The running total and the counts of this response, as tuples; empty if missing. */
  total: string;
  last: string;
  /** When the current turn began, in milliseconds since the epoch; null if its ID has no time. */
  turnMs: number | null;
  timestampMs: number;
  model: string;
}

/** The session that a rollout belongs to. */
interface Session {
  id: string;
  /** The session that it was forked from or spawned by; empty if none. */
  parent: string;
  provider: string;
  /** When the rollout was started; null if unknown. */
  startMs: number | null;
}

/** The usage in one rollout. */
export interface CodexUsage extends FileUsage {
  session: Session;
  /** Whether the rollout has named its session. Later session lines are replays. */
  is_named: boolean;
  /** IDs and parents of the sessions that are replayed in it. */
  ancestors: [id: string, parent: string][];
  reports: TokenReport[];
  /** The responses that compacted the conversation. */
  compactions: string[];
  /** The state with which reading continues. */
  model: string;
  turnMs: number | null;
  total: Tokens | null;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** The initial usage of a rollout. Its file name ends with the session ID. */
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

/** A copy of a rollout's usage to which reports can be added. */
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
 * The time in a version 7 UUID, in milliseconds since the epoch; null for anything else.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9562#section-5.7 | RFC 9562, section 5.7}
 */
export function uuidMs(id: unknown): number | null {
  const [, high, low] = (typeof id === 'string' && UUID_V7.exec(id)) || [];
  return high === undefined || low === undefined ? null : parseInt(high + low, 16);
}

/** The key of a report within its file. */
export function reportKey({ response_id, total, last, timestampMs }: TokenReport): string {
  if (response_id) return `response ${response_id}`;
  // Without a running total, equal counts may be two responses.
  const told = total === '' || response_id === '' ? `${last} at ${timestampMs}` : last;
  return `${response_id === null ? 'count' : 'record'} ${total} ${told}`;
}

/** A set of counts as Codex writes it. `input` includes cached and cache-writing tokens. */
export interface Tokens {
  input: number;
  cached: number | null;
  cache_write: number | null;
  output: number;
  reasoning: number;
  total: number;
}

/** Reads a set of counts; null if one of them is invalid. */
export function readTokens(usage: Fields): Tokens | null {
  const input = countOf(usage.input_tokens) ?? 0;
  const cached = countOf(usage.cached_input_tokens);
  const cache_write = countOf(usage.cache_write_input_tokens);
  const output = countOf(usage.output_tokens) ?? 0;
  const reasoning = countOf(usage.reasoning_output_tokens) ?? 0;
  const total = countOf(usage.total_tokens) ?? 0;
  // The sum is NaN if any part is NaN.
  const sum = input + (cached ?? 0) + (cache_write ?? 0) + output + reasoning + total;
  return Number.isNaN(sum) ? null : { input, cached, cache_write, output, reasoning, total };
}

/**
 * The counts as text. A missing count is written as zero, because a replay by another version of Codex may have added it.
 */
export function tupleOf({ input, cached, cache_write, output, reasoning, total }: Tokens): string {
  return `${input},${cached ?? 0},${cache_write ?? 0},${output},${reasoning},${total}`;
}

/** Whether there are no tokens. A report of a full context has only `total`. */
export function areZero({ input, cached, cache_write, output }: Tokens): boolean {
  return input + output + (cached ?? 0) + (cache_write ?? 0) === 0;
}

/** The growth since `before`. If a count decreased, the totals have started again from zero. */
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

/** The four token types; null if cached and written tokens exceed the input that includes them. */
export function pillarsOf({ input, cached, cache_write, output }: Tokens): Pillars | null {
  const fresh = input - (cached ?? 0) - (cache_write ?? 0);
  const pillars = { input: fresh, output, cache_write, cache_read: cached };
  return arePossible(pillars) ? pillars : null;
}

/**
 * All usage of the rollouts, each response once. A fork replays its parent's counts with new timestamps. The same running
 * total and response under one root are therefore one response, which belongs to the oldest session. If the parent's
 * rollout is gone, the replayed beginning is left out.
 */
export function mergeLineages(files: readonly CodexUsage[]): LoggedResponse[] {
  const parents = parentsIn(files);
  const present = new Set(files.map(({ session }) => session.id));
  const seenByRoot = new Map<string, Set<string>>();
  const events: LoggedResponse[] = [];
  for (const { file, root } of eldestFirst(files, parents)) {
    const { parent, provider } = file.session;
    const isOrphan = parent !== '' && !present.has(parent);
    const start = isOrphan ? replayedReports(file) : 0;
    const counts = counterOf(file);
    const nameOf = namerOf(file);
    const seen = seenByRoot.get(root) ?? new Set<string>();
    seenByRoot.set(root, seen);
    for (const [index, report] of file.reports.entries()) {
      const key = reportKey(report);
      // Reports that are left out are still marked as seen, because a fork of this fork replays them again.
      const isNew = !seen.has(key) && index >= start && counts(report);
      seen.add(key);
      if (isNew) events.push(loggedAs(nameOf(report), { ...report, provider }));
    }
  }
  return events;
}

/**
 * The keys of a rollout's reports, which start with the oldest session that the rollout itself names. They therefore do
 * not depend on which other rollouts exist. A count and the record that repeats it have the same key, because which of
 * them counts can change while a response is written.
 */
function namerOf({ path, session, ancestors }: CodexUsage): (report: TokenReport) => string {
  const own = new Map([...ancestors, [session.id, session.parent]]);
  const { root } = rootOf(session.id, own);
  const isNamed = root !== path.toLowerCase();
  const lineage = logNameOf(root);
  return (report) => {
    const { total, last, timestampMs } = report;
    const name = total === '' ? reportKey(report) : `${total} ${last}`;
    return isNamed ? `${lineage}\n${name}` : `${lineage}\n${name} at ${timestampMs}`;
  };
}

/** The parent of each session. A session's own statement overrides those of replays. */
function parentsIn(files: readonly CodexUsage[]): Map<string, string> {
  const replayed = files
    .flatMap(({ ancestors }) => ancestors)
    .filter(([, parent]) => parent !== '');
  const own = files.map(({ session }) => [session.id, session.parent] as const);
  return new Map([...replayed.sort(), ...own.sort()]);
}

interface Descendant {
  file: CodexUsage;
  root: string;
  depth: number;
}

/** Parents before children, and complete files before shorter copies. */
function eldestFirst(files: readonly CodexUsage[], parents: Map<string, string>): Descendant[] {
  return files
    .map((file) => ({ file, ...rootOf(file.session.id, parents) }))
    .sort(
      (a, b) =>
        a.depth - b.depth ||
        compareText(a.file.session.id, b.file.session.id) ||
        b.file.reports.length - a.file.reports.length ||
        compareText(a.file.path, b.file.path),
    );
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** The topmost ancestor, and its distance. */
function rootOf(id: string, parents: Map<string, string>): { root: string; depth: number } {
  const line = new Set([id]);
  let root = id;
  for (let parent = parents.get(root); parent; parent = parents.get(root)) {
    if (line.has(parent)) break;
    line.add(parent);
    root = parent;
  }
  return { root, depth: line.size };
}

/** A replay is written at once. Longer pauses are responses of a model. */
const REPLAY_PAUSE_MS = 1000;

/** How many reports at the start of a fork are replays. */
function replayedReports({ session, reports, ancestors }: CodexUsage): number {
  const forkMs = uuidMs(session.id);
  const lastOfOlderTurn = reports.findLastIndex(
    ({ turnMs }) => forkMs !== null && turnMs !== null && turnMs < forkMs,
  );
  if (lastOfOlderTurn >= 0 || ancestors.length === 0) return lastOfOlderTurn + 1;

  let previousMs = session.startMs ?? -Infinity;
  const firstOwn = reports.findIndex(({ turnMs, timestampMs }) => {
    const isOwnTurn = forkMs !== null && turnMs !== null;
    const isOwn = isOwnTurn || timestampMs - previousMs >= REPLAY_PAUSE_MS;
    previousMs = timestampMs;
    return isOwn;
  });
  return firstOwn < 0 ? reports.length : firstOwn;
}

/**
 * Which reports of a file count. A `token_usage_record` repeats a `token_count`. It counts only if the file has no counts,
 * or if it is for a compaction that no count includes.
 */
function counterOf({ reports, compactions }: CodexUsage): (report: TokenReport) => boolean {
  const counted = reports.filter(({ response_id }) => response_id === null);
  const totals = new Set(counted.map(({ total }) => total).filter(Boolean));
  const lasts = new Set(counted.map(({ last }) => last).filter(Boolean));
  const named = new Set(compactions);
  return ({ response_id, total, last }) => {
    if (response_id === null || counted.length === 0) return true;
    return named.has(response_id) && !totals.has(total) && !lasts.has(last);
  };
}
