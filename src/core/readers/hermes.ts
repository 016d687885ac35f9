/**
 * Hermes Agent: one database for each profile, with running totals. Newer versions have one for each session, model and kind
 * of work, with the times of its first and last request. Older ones have one for each session. When the newer table was
 * introduced, it was filled with the older totals, whose last time may be the start of the session.
 *
 * NousResearch/hermes-agent: `hermes_state_common.py` at 00704d0, `hermes_state*.py` (`_record_model_usage`,
 * `record_auxiliary_usage`, migrations 20 and 22), `agent/usage_pricing.py` (`normalize_usage`), `agent/codex_runtime.py`,
 * `hermes_constants.py`; from the file index, September and October 2026.
 *
 * @module
 */
import type { LoggedResponse, Pillars, UsageEvent } from '../schema/usage.ts';
import { totalOf } from '../domain/counting/bucket.ts';
import {
  type Fields,
  areOneDay,
  arePossible,
  countOf,
  countOrZero,
  idOf,
  instantOf,
  labelOf,
} from './shared/fields.ts';
import { type LogPlace, type Surroundings, listed, under } from './shared/places.ts';
import {
  type FileReader,
  type FileUsage,
  type Reader,
  type SkipReason,
  addSkip,
} from './shared/reader.ts';
import { keepFullest, loggedAs, openLines, responseOf } from './shared/responses.ts';

/** The usage in a database. */
interface HermesUsage extends FileUsage {
  totals: HermesTotal[];
}

interface HermesTotal extends UsageEvent {
  /** What the total is for, which identifies it in a session. */
  key: string;
}

/** Counts of sessions, which all tables have. */
const COUNTS = ['input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens'];
const ROUTE = ['billing_provider', 'billing_base_url', 'billing_mode'];

/** Reader of Hermes Agent's databases. */
export const hermes: Reader<HermesUsage> = {
  tool: 'hermes',
  name: 'Hermes Agent',
  rules: 1,
  variables: ['HERMES_HOME'],
  places,
  needles: [],
  tables: [
    {
      name: 'sessions',
      columns: ['id', 'started_at'],
      optional: ['model', 'ended_at', 'last_activity_at', ...ROUTE, ...COUNTS],
    },
    {
      name: 'session_model_usage',
      columns: ['session_id', 'model'],
      optional: ['task', 'first_seen', 'last_seen', ...ROUTE, ...COUNTS],
    },
  ],
  mapping: {
    logs: '`~/.hermes`; on Windows, `%LOCALAPPDATA%\\hermes`',
    input: '`input_tokens`: tokens neither read from the cache nor written to it',
    output: '`output_tokens`, including reasoning',
    cache_write: '`cache_write_tokens`',
    cache_read: '`cache_read_tokens`',
    unknown: 'A cache count that the database does not contain. 0 if a provider reports none.',
    once: 'A total of one session, model and kind of work, if its first and last request are on one UTC day. If there is none of the main work, the total of the session.',
    missing:
      'Totals of more than one UTC day, or without the time of the last request. Work that runs through other assistants, which have their own logs. If Hermes runs Codex as its app server, that work counts here, too. Deleted sessions. Databases, if Node.js is older than 22.13. `opbench` reports this.',
  },
  open,
  merge,
};

function places(at: Surroundings): LogPlace[] {
  const ofWindows = at.platform === 'win32' ? under(at.env.LOCALAPPDATA, 'hermes') : [];
  const folders = listed(at, 'HERMES_HOME', [...ofWindows, ...under(at.home, '.hermes')]);
  return folders.map((path) => ({ path, logs: ['state.db', 'profiles/*/state.db'] }));
}

function open(path: string): FileReader<HermesUsage> {
  const sessions = new Map<unknown, Fields>();
  const rows: Fields[] = [];
  const { line, finish } = openLines(path, undefined, {
    read(fields) {
      if (fields.table === 'sessions') sessions.set(fields.id, fields);
      else rows.push(fields);
    },
    said: () => ({}),
  });
  return {
    line,
    finish() {
      const usage = finish();
      const candidates = [
        ...rows.map((row) => ofRow(row, sessions)),
        ...withoutRows(rows, sessions),
      ];
      return { ...usage, ...read(candidates, usage.skipped) };
    },
  };
}

/** A total that may not count. */
interface Candidate {
  session: unknown;
  fields: Fields;
  /** The kind of work; empty for the main work. */
  task: unknown;
  first: unknown;
  lastMs: number;
}

function ofRow(fields: Fields, sessions: ReadonlyMap<unknown, Fields>): Candidate {
  const { session_id: session, first_seen: first, last_seen: last, task } = fields;
  const whole = sessions.get(session);
  // An older total, whose last time is that of the session's end if it had ended, else that of its start.
  const isOlder = whole !== undefined && whole.started_at === first;
  const ends = isOlder ? [...endsOf(whole), ...(last === first ? [] : [last])] : [last];
  return { session, fields, task, first, lastMs: latest(ends) };
}

/** The totals of sessions of which the newer table has no main work. */
function withoutRows(rows: readonly Fields[], sessions: ReadonlyMap<unknown, Fields>): Candidate[] {
  const known = new Set(rows.filter(({ task }) => !task).map((row) => row.session_id));
  return [...sessions.values()]
    .filter(({ id }) => !known.has(id))
    .map((fields) => {
      const { id: session, started_at: first } = fields;
      return { session, fields, task: '', first, lastMs: latest(endsOf(fields)) };
    });
}

function endsOf({ ended_at, last_activity_at }: Fields): unknown[] {
  return [ended_at, last_activity_at];
}

/** The latest of times, in milliseconds since the epoch; NaN without any. */
function latest(times: readonly unknown[]): number {
  const known = times.map(instantOf).filter((ms) => !Number.isNaN(ms));
  return known.length === 0 ? NaN : Math.max(...known);
}

function read(candidates: readonly Candidate[], skipped: HermesUsage['skipped']) {
  const totals: HermesTotal[] = [];
  const tooLong = new Set<unknown>();
  for (const candidate of candidates) {
    const total = readTotal(candidate);
    if (typeof total === 'string') addSkip(skipped, total);
    else if (total === null) continue;
    else if (areOneDay(total.timestampMs, candidate.lastMs)) totals.push(total);
    else tooLong.add(candidate.session);
  }
  addSkip(skipped, 'spans_days', tooLong.size);
  return { totals };
}

/** Reads a total; null if it is empty or of another assistant. */
function readTotal({ session, fields, task, first }: Candidate): HermesTotal | SkipReason | null {
  const { model, billing_provider, billing_base_url, billing_mode } = fields;
  const pillars = pillarsOf(fields);
  if ((pillars !== null && totalOf(pillars) === 0) || isOtherAssistant(billing_provider))
    return null;
  // The same key for a total that moved from the older table to the newer one.
  const parts = [
    session,
    model ?? 'unknown',
    billing_provider,
    billing_base_url,
    billing_mode,
    task,
  ];
  const read = responseOf({
    id: idOf(session),
    timestampMs: instantOf(first),
    provider: labelOf(billing_provider),
    model: labelOf(model),
    pillars,
  });
  return typeof read === 'string'
    ? read
    : { ...read, key: parts.map((part) => part ?? '').join('\n') };
}

/** Whether the provider is another assistant, which has its own log. */
function isOtherAssistant(provider: unknown): boolean {
  return typeof provider === 'string' && /-acp$|^claude-agent-sdk$/.test(provider);
}

function pillarsOf(fields: Fields): Pillars | null {
  const pillars = {
    input: countOrZero(fields.input_tokens),
    output: countOrZero(fields.output_tokens),
    cache_write: countOf(fields.cache_write_tokens),
    cache_read: countOf(fields.cache_read_tokens),
  };
  return arePossible(pillars) ? pillars : null;
}

function merge(files: readonly HermesUsage[]): LoggedResponse[] {
  const byKey = new Map<string, HermesTotal>();
  for (const { totals } of files) {
    for (const total of totals) keepFullest(byKey, total.key, total);
  }
  return [...byKey].map(([key, total]) => loggedAs(key, total));
}
