/**
 * GitHub Copilot CLI: one JSON object a line. Only the end of a session tells input and caches, as
 * running totals by model; a session that is resumed ends again. Newer versions then go on counting
 * and older ones begin anew, so totals that grew in every count are taken to have gone on.
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
} from './fields.ts';
import {
  type FileReader,
  type FileUsage,
  type Reader,
  type SkipReason,
  logNameOf,
} from './reader.ts';
import { openLines } from './responses.ts';

/** What one session's events say. */
interface CopilotUsage extends FileUsage {
  /** The session's id; empty if the file does not name it. */
  session: string;
  shutdowns: Shutdown[];
}

/** One end of a session. */
interface Shutdown {
  /** Names the event wherever it is copied to. */
  id: string;
  timestampMs: number;
  totals: Total[];
}

/** What a session used of a model so far. */
interface Total extends Pillars {
  model: string;
}

/** Reader of Copilot CLI's sessions. */
export const copilotCli: Reader<CopilotUsage> = {
  tool: 'copilot-cli',
  rules: 1,
  needles: ['"session.shutdown"', '"session.start"'],
  open,
  merge,
};

function open(path: string, before?: CopilotUsage): FileReader<CopilotUsage> {
  const shutdowns = [...(before?.shutdowns ?? [])];
  let session = before?.session ?? '';
  return openLines(path, before, {
    read(fields, skip) {
      const data = fieldsOf(fields.data);
      if (data === null) return;
      if (fields.type === 'session.start') session ||= idOf(data.sessionId) ?? '';
      if (fields.type !== 'session.shutdown') return;
      const read = readShutdown(fields, data, skip);
      if (typeof read === 'string') skip(read);
      else shutdowns.push(read);
    },
    said: () => ({ session, shutdowns: [...shutdowns] }),
  });
}

/** Reads one end of a session; models with impossible counts are left out of it and counted. */
function readShutdown(
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

/** The input holds what was read from the cache and what was written to it. */
function readTotal(name: string, usage: Fields | null): Total | SkipReason | null {
  if (usage === null) return null;
  const model = labelOf(name);
  if (model === null) return 'name';
  const cache_write = countOf(usage.cacheWriteTokens);
  const cache_read = countOf(usage.cacheReadTokens);
  const total = {
    model,
    input: countOrZero(usage.inputTokens) - (cache_write ?? 0) - (cache_read ?? 0),
    output: countOrZero(usage.outputTokens),
    cache_write,
    cache_read,
  };
  return arePossible(total) ? total : 'count';
}

function merge(files: readonly CopilotUsage[]): LoggedResponse[] {
  const seen = new Set<string>();
  const responses: LoggedResponse[] = [];
  for (const [session, copies] of groupBy(files, ({ session, path }) => session || path)) {
    const before = new Map<string, Total>();
    for (const { id, timestampMs, totals } of inOrder(copies)) {
      const spent = spentSince(before, totals);
      // An event that was copied into another session counts there no more.
      const isUnnamed = id.startsWith('\n');
      const key = isUnnamed ? session + id : id;
      const name = isUnnamed ? logNameOf(session) + id : id;
      if (!seen.has(key)) responses.push(...loggedAt(timestampMs, name, spent));
      seen.add(key);
    }
  }
  return responses;
}

/** The ends of a session, each once, wherever its events were copied to. */
function inOrder(files: readonly CopilotUsage[]): Shutdown[] {
  const byId = new Map(files.flatMap(({ shutdowns }) => shutdowns).map((one) => [one.id, one]));
  return [...byId.values()].sort((a, b) => a.timestampMs - b.timestampMs || sizeOf(a) - sizeOf(b));
}

function sizeOf({ totals }: Shutdown): number {
  return totals.reduce((sum, total) => sum + totalOf(total), 0);
}

/**
 * What was added to the totals before, which these then replace. Where one count went back, all of
 * them have begun anew.
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
    return { key: `${event}\n${part.model}`, timestampMs, provider: 'github-copilot', ...part };
  });
}
