/**
 * Factory Droid: the total of each session in its settings, and its messages, without counts, in a file next to them. The
 * total contains the session's own requests. Sub-agents are sessions of their own. Thinking does not count: programs that
 * read these files disagree whether the output includes it, and the source of Droid is not public.
 *
 * Factory-AI/droid-sdk-typescript: `src/protocol/session-settings-schema.ts` at 3b01aea and `session.ts` at 60621c2 in the
 * same folder. The same session in two folders: xiufengsun/TokenTracker, issue 204. Sessions of several days:
 * junhoyeo/tokscale, pull request 1120. Variables: getagentseal/codeburn `docs/providers/droid.md`.
 *
 * @module
 */
import { type LoggedResponse, type Pillars, type UsageEvent, UNKNOWN } from '../schema/usage.ts';
import { totalOf } from '../domain/counting/bucket.ts';
import { groupBy } from '../domain/text/group.ts';
import { type Fields, areOneDay, arePossible, countOf, countOrZero } from './shared/fields.ts';
import { fieldsOf, idOf, instantOf, labelOf } from './shared/fields.ts';
import { type LogPlace, type Surroundings, listed, under } from './shared/places.ts';
import type { FileReader, FileUsage, Reader, SkipReason } from './shared/reader.ts';
import { addSkip, logNameOf } from './shared/reader.ts';
import { keepFullest, loggedAs, openLines } from './shared/responses.ts';

/** The usage in the settings of a session, or its messages. */
interface DroidUsage extends FileUsage {
  total: DroidTotal | null;
  messages: Messages | null;
}

interface DroidTotal extends Pillars {
  provider: string;
  model: string;
}

/** What the messages of a session tell. */
interface Messages {
  /** The ID of the first one, which a fork keeps. */
  id: string;
  firstMs: number;
  lastMs: number;
  /** The models that are named. */
  models: string[];
}

/** Reader of Droid's sessions. */
export const droid: Reader<DroidUsage> = {
  tool: 'droid',
  name: 'Factory Droid',
  rules: 1,
  variables: ['DROID_SESSIONS_DIR', 'FACTORY_DIR'],
  places,
  needles: ['"tokenUsage"', '"timestamp"'],
  mapping: {
    logs: '`~/.factory/sessions`',
    input: '`inputTokens`: tokens neither read from the cache nor written to it',
    output: '`outputTokens`',
    cache_write: '`cacheCreationTokens`',
    cache_read: '`cacheReadTokens`',
    unknown:
      'A cache count that the settings do not contain. The model of a session with several models.',
    once: 'The total of a session, if its first and last message are on one UTC day. If the session is in several folders, or was forked, the largest total counts.',
    missing:
      'Sessions of more than one UTC day, or without messages. `thinkingTokens`, if the output does not include them.',
  },
  open,
  merge,
};

const LOGS = ['*.settings.json', '*.jsonl', '*/*.settings.json', '*/*.jsonl'];

/** Both variables are used by programs that read its logs. */
function places(at: Surroundings): LogPlace[] {
  const homes = listed(at, 'FACTORY_DIR', under(at.home, '.factory'));
  const sessions = homes.flatMap((folder) => under(folder, 'sessions'));
  return listed(at, 'DROID_SESSIONS_DIR', sessions).map((path) => ({ path, logs: LOGS }));
}

function open(path: string, before?: DroidUsage): FileReader<DroidUsage> {
  let total = before?.total ?? null;
  let messages = before?.messages ?? null;
  const skipped = { ...before?.skipped };
  // Whether it does is decided at the end.
  delete skipped.spans_days;
  const { line, finish } = openLines(path, before && { path, skipped }, {
    read(fields, skip) {
      messages = withMessage(messages, fields);
      const read = readTotal(fields);
      if (typeof read === 'string') skip(read);
      else total = read ?? total;
    },
    said: () => ({ total, messages }),
  });
  return {
    line,
    finish() {
      const usage = finish();
      if (messages !== null && !isOneDay(messages)) addSkip(usage.skipped, 'spans_days');
      return usage;
    },
  };
}

function isOneDay({ firstMs, lastMs }: Messages): boolean {
  return areOneDay(firstMs, lastMs);
}

/** The messages including one more. */
function withMessage(known: Messages | null, fields: Fields): Messages | null {
  const atMs = instantOf(fields.timestamp);
  if (fields.type !== 'message' || Number.isNaN(atMs)) return known;
  const named = labelOf(fields.modelId ?? fieldsOf(fields.message)?.modelId) ?? UNKNOWN;
  const message = { id: idOf(fields.id) ?? '', firstMs: atMs, lastMs: atMs };
  return joined(known, { ...message, models: named === UNKNOWN ? [] : [named] });
}

function joined(one: Messages | null, other: Messages): Messages {
  if (one === null) return other;
  const [first] = one.firstMs <= other.firstMs ? [one] : [other];
  return {
    id: first.id,
    firstMs: first.firstMs,
    lastMs: Math.max(one.lastMs, other.lastMs),
    models: [...new Set([...one.models, ...other.models])],
  };
}

/** Reads the total in settings; null if there is none. */
function readTotal(settings: Fields): DroidTotal | SkipReason | null {
  const usage = fieldsOf(settings.tokenUsage);
  if (usage === null) return null;
  const provider = labelOf(settings.providerLock);
  // The model that Droid chose, if the user let it choose.
  const chosen = fieldsOf(settings.effectiveFactoryRouterModel);
  const model = labelOf(chosen?.modelId ?? settings.model);
  const pillars = {
    input: countOrZero(usage.inputTokens),
    output: countOrZero(usage.outputTokens),
    cache_write: countOf(usage.cacheCreationTokens),
    cache_read: countOf(usage.cacheReadTokens),
  };
  if (!arePossible(pillars)) return 'count';
  return provider === null || model === null ? 'name' : { provider, model, ...pillars };
}

/** The ID of the session, which both of its files have as their name. */
function sessionOf({ path }: DroidUsage): string {
  return logNameOf(path).replace(/\.(settings\.json|jsonl)$/, '');
}

function merge(files: readonly DroidUsage[]): LoggedResponse[] {
  const byKey = new Map<string, UsageEvent>();
  for (const [session, parts] of groupBy(files, sessionOf)) {
    const messages = parts
      .map((part) => part.messages)
      .filter((part) => part !== null)
      .sort((a, b) => a.firstMs - b.firstMs || (a.id < b.id ? -1 : 1))
      .reduce<Messages | null>(joined, null);
    if (messages === null || !isOneDay(messages)) continue;
    const { id, firstMs: timestampMs, models } = messages;
    for (const { total } of parts) {
      if (total === null || totalOf(total) === 0) continue;
      const model = models.length > 1 ? UNKNOWN : total.model;
      keepFullest(byKey, `${id || session}\n${timestampMs}`, { ...total, timestampMs, model });
    }
  }
  return [...byKey].map(([key, event]) => loggedAs(key, event));
}
