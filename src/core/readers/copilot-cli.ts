/**
 * GitHub Copilot CLI: one JSON object in each line. Only the end of a session has input and cache counts, as running totals
 * by model. A resumed session ends again. Newer versions then continue the totals, and older ones start from zero. If every
 * count grew, the totals are assumed to have continued.
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
import { type LogPlace, type Surroundings, under } from './shared/places.ts';
import {
  type FileReader,
  type FileUsage,
  type Reader,
  type SkipReason,
  logNameOf,
} from './shared/reader.ts';
import { openLines } from './shared/responses.ts';

/** The usage in one session's events. */
interface CopilotUsage extends FileUsage {
  /** The session ID; empty if the file has none. */
  session: string;
  shutdowns: Shutdown[];
}

/** One end of a session. */
interface Shutdown {
  /** The ID of the event, which stays the same in copies. */
  id: string;
  timestampMs: number;
  totals: Total[];
}

/** The tokens of one model so far in a session. */
interface Total extends Pillars {
  model: string;
}

/** Reader of Copilot CLI's sessions. */
export const copilotCli: Reader<CopilotUsage> = {
  tool: 'copilot-cli',
  name: 'Copilot CLI',
  rules: 1,
  variables: ['COPILOT_HOME'],
  places,
  needles: ['"session.shutdown"', '"session.start"'],
  mapping: {
    logs: '`~/.copilot/session-state`',
    input: '`inputTokens` minus `cacheReadTokens` and `cacheWriteTokens`, which it includes',
    output: '`outputTokens`, including reasoning',
    cache_write: '`cacheWriteTokens`',
    cache_read: '`cacheReadTokens`',
    unknown: 'A cache count that the log does not contain.',
    once: 'Copilot CLI logs running totals, and only when a session ends. Tokens added since the previous end count on the day of that end. If a count is lower than at the previous end, the totals have restarted from zero. Copies of a session count as one.',
    missing:
      'Sessions that are still open, that crashed, or that were left by starting a new one. In older versions, totals restart when a session is resumed. If every count is larger at the next end, the earlier part is not counted.',
  },
  open,
  merge,
};

function places({ env, home }: Surroundings): LogPlace[] {
  return under(env.COPILOT_HOME || under(home, '.copilot')[0], 'session-state').map((path) => {
    return { path, logs: ['*.jsonl', '*/events.jsonl'] };
  });
}

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

/** Reads one end of a session. Models with invalid counts are skipped and counted. */
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

/** Reads the totals of one model. The input includes cache reads and cache writes. */
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
      // An event that was copied into another session does not count there again.
      const isUnnamed = id.startsWith('\n');
      const key = isUnnamed ? session + id : id;
      const name = isUnnamed ? logNameOf(session) + id : id;
      if (!seen.has(key)) responses.push(...loggedAt(timestampMs, name, spent));
      seen.add(key);
    }
  }
  return responses;
}

/** The ends of a session, each once, sorted by time. */
function inOrder(files: readonly CopilotUsage[]): Shutdown[] {
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
    return { key: `${event}\n${part.model}`, timestampMs, provider: 'github-copilot', ...part };
  });
}
