/**
 * The ends of Copilot CLI's sessions: running totals by model.
 *
 * @module
 */
import type { LoggedResponse, Pillars } from '../schema/usage.ts';
import { joinPillars, totalOf } from '../domain/counting/bucket.ts';
import { groupBy } from '../domain/text/group.ts';
import {
  type Fields,
  arePossible,
  countOf,
  countOrZero,
  fieldsOf,
  idOf,
  instantOf,
  labelOf,
} from './shared/fields.ts';
import { type SkipReason, logFolderOf, logNameOf } from './shared/reader.ts';

export const PROVIDER = 'github-copilot';

/** The ends in one file of a session. */
export interface SessionFile {
  path: string;
  /** The session ID; empty if the file has none. */
  session: string;
  shutdowns: Shutdown[];
}

/** One end of a session. */
export interface Shutdown {
  /** The ID of the event, which stays the same in copies. */
  id: string;
  timestampMs: number;
  totals: Total[];
}

/** The tokens of one model so far in a session. */
interface Total extends Pillars {
  model: string;
}

/** Counts as logged. */
type Counts = Record<keyof Pillars, unknown>;

/** The token types. The logged input includes cache reads and cache writes. NaN or negative if invalid. */
export function totalIn(counts: Counts): Pillars {
  const cache_write = countOf(counts.cache_write);
  const cache_read = countOf(counts.cache_read);
  return {
    input: countOrZero(counts.input) - (cache_write ?? 0) - (cache_read ?? 0),
    output: countOrZero(counts.output),
    cache_write,
    cache_read,
  };
}

/** Reads one end of a session. Models with invalid counts are skipped and counted. */
export function readShutdown(
  line: Fields,
  data: Fields,
  skip: (reason: SkipReason) => void,
): Shutdown | SkipReason {
  const id = idOf(line.id);
  const timestampMs = instantOf(line.timestamp);
  if (id === null) return 'id';
  if (Number.isNaN(timestampMs)) return 'time';
  const totals: Total[] = [];
  for (const [model, metrics] of Object.entries(fieldsOf(data.modelMetrics) ?? {})) {
    const total = readTotal(model, fieldsOf(fieldsOf(metrics)?.usage));
    if (typeof total === 'string') skip(total);
    else if (total !== null) totals.push(total);
  }
  return { id: id || `\ncontent ${timestampMs} ${JSON.stringify(totals)}`, timestampMs, totals };
}

/** Reads the totals of one model. */
function readTotal(name: string, usage: Fields | null): Total | SkipReason | null {
  if (usage === null) return null;
  const model = labelOf(name);
  if (model === null) return 'name';
  const total = totalIn({
    input: usage.inputTokens,
    output: usage.outputTokens,
    cache_write: usage.cacheWriteTokens,
    cache_read: usage.cacheReadTokens,
  });
  return arePossible(total) ? { model, ...total } : 'count';
}

/**
 * What the ends of sessions tell. In a session with requests in the database, ends since the first request of the database
 * do not count: they total requests of this session, or of one that it is a fork of.
 */
export function spentInSessions(
  files: readonly SessionFile[],
  requests: readonly { session: string; timestampMs: number }[],
): LoggedResponse[] {
  const covered = new Set(requests.map(({ session }) => session));
  const firstMs = requests.reduce((first, one) => Math.min(first, one.timestampMs), Infinity);
  const sessions = [...groupBy(files, ({ session, path }) => session || path)].map(
    ([session, copies]) => {
      const isCovered = copies.some((one) => covered.has(one.session || nameOf(one.path)));
      const shutdowns = inOrder(copies);
      const counted = shutdowns.filter((one) => !isCovered || one.timestampMs < firstMs);
      return { session, counted, others: shutdowns.filter((one) => !counted.includes(one)) };
    },
  );
  // An event that was copied into another session does not count there again.
  const seen = new Set(sessions.flatMap(({ others }) => others.map(({ id }) => id)));
  return sessions.flatMap(({ session, counted }) => spentIn(session, counted, seen));
}

/** The ID of a session without a start, which is the name of its folder or file. */
function nameOf(path: string): string {
  const name = logNameOf(path);
  return name === 'events.jsonl' ? logNameOf(logFolderOf(path)) : name.replace(/\.jsonl$/, '');
}

/** What was spent up to each end of a session. Adds the ends to `seen`. */
function spentIn(
  session: string,
  shutdowns: readonly Shutdown[],
  seen: Set<string>,
): LoggedResponse[] {
  const before = new Map<string, Total>();
  const responses: LoggedResponse[] = [];
  for (const { id, timestampMs, totals } of shutdowns) {
    const spent = spentSince(before, totals);
    const isUnnamed = id.startsWith('\n');
    const key = isUnnamed ? session + id : id;
    const name = isUnnamed ? logNameOf(session) + id : id;
    if (!seen.has(key)) responses.push(...loggedAt(timestampMs, name, spent));
    seen.add(key);
  }
  return responses;
}

/** The ends of a session, each once, sorted by time. */
function inOrder(files: readonly SessionFile[]): Shutdown[] {
  const byId = new Map(files.flatMap(({ shutdowns }) => shutdowns).map((one) => [one.id, one]));
  return [...byId.values()].sort((a, b) => a.timestampMs - b.timestampMs || sizeOf(a) - sizeOf(b));
}

function sizeOf({ totals }: Shutdown): number {
  return totals.reduce((sum, total) => sum + totalOf(total), 0);
}

/**
 * The growth since the earlier totals, which are then replaced. If one count decreased, all have started from zero.
 */
function spentSince(before: Map<string, Total>, totals: readonly Total[]): Total[] {
  const grown = totals.map((total) => growth(before.get(total.model), total));
  const isAnew = grown.some((total) => !arePossible(total));
  if (isAnew) before.clear();
  for (const total of totals) before.set(total.model, total);
  return (isAnew ? totals : grown).filter((total) => totalOf(total) > 0);
}

function growth(before: Total | undefined, now: Total): Total {
  if (before === undefined) return now;
  const { model } = now;
  return { model, ...joinPillars(now, before, (count, earlier) => count - earlier) };
}

function loggedAt(timestampMs: number, event: string, spent: readonly Total[]): LoggedResponse[] {
  return spent.map((part) => {
    return { key: `${event}\n${part.model}`, timestampMs, provider: PROVIDER, ...part };
  });
}
