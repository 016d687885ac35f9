/**
 * Reports of ccusage (`--json`): counts by day, agent and model. Versions before 20 have one shape for Claude Code and
 * another for Codex. Since version 20, rows name their agents.
 *
 * @module
 */
import { DAY_MS, dayNumber, utcDay } from '../../domain/counting/day.ts';
import { type Pillars, UNKNOWN } from '../../schema/usage.ts';
import { DomainError } from '../../domain/text/errors.ts';
import {
  type Fields,
  fieldsOf,
  instantOf,
  labelOf,
  arePossible,
  countOf,
} from '../shared/fields.ts';

/** The counts of one model on one day. */
interface CcusageUse extends Pillars {
  timestampMs: number;
  tool: string;
  provider: string;
  model: string;
}

interface CcusageReport {
  uses: CcusageUse[];
  warnings: { code: string; detail: string }[];
}

/** The members that may contain a report's rows. */
const SECTIONS = ['daily', 'projects', 'sessions', 'session', 'weekly', 'monthly', 'blocks'];

/** Whether an object is a report. */
export function isCcusage(fields: Fields): boolean {
  return SECTIONS.some((name) => typeof fields[name] === 'object' && fields[name] !== null);
}

/**
 * Reads a report by day, or by session if each session is within one UTC day.
 *
 * @throws {DomainError} `ingest_unreadable` if the counts cannot be assigned to UTC days.
 */
export function readCcusage(report: Fields): CcusageReport {
  const notes = new Set<Note>();
  const rows = datedRows(report, notes);
  if (rows.length === 0) throw refused('It has no rows.');
  const uses = rows.flatMap((row) => usesOf(row, notes));
  const warnings = [...notes].sort().map((code) => ({ code, detail: NOTES[code] }));
  return { uses, warnings };
}

const NOTES = {
  days_by_local_clock:
    'ccusage uses the time zone of its machine. Run it with --timezone UTC, or days are shifted.',
  model_unknown: 'Some tokens are not assigned to a model in the report.',
  tool_assumed:
    'The report does not name the tool. It looks like a report of Claude Code or Codex.',
  zero_as_unreported:
    'ccusage writes 0 for counts that a tool does not report, so 0 is treated as not reported.',
} as const;
type Note = keyof typeof NOTES;

interface DatedRow {
  timestampMs: number;
  /** The name of the agent in the row; null if there is none. */
  agent: string | null;
  row: Fields;
}

function datedRows(report: Fields, notes: Set<Note>): DatedRow[] {
  const { daily, projects } = report;
  const days = Array.isArray(daily) ? daily : Object.values(fieldsOf(projects) ?? {}).flat();
  if (days.length > 0) {
    notes.add('days_by_local_clock');
    return days.flatMap((row) => byAgent(rowOf(row), dayOf(rowOf(row))));
  }
  const sessions = report.sessions ?? report.session;
  if (Array.isArray(sessions)) {
    return sessions.flatMap((row) => byAgent(rowOf(row), dayOfSession(rowOf(row))));
  }
  if (Array.isArray(daily) || projects) return [];
  throw refused('Its rows cover more than one UTC day. Run: ccusage daily --json');
}

function dayOf({ date, period }: Fields): number {
  const day = String(date ?? period);
  const ms = /^\d{4}-\d\d-\d\d$/.test(day) ? instantOf(`${day}T00:00:00Z`) : NaN;
  if (Number.isNaN(ms)) throw refused('A day is not in the form YYYY-MM-DD, or is before 2023.');
  return ms;
}

/** The day of a session, which must have both times, on one UTC day. */
function dayOfSession({ firstActivity, lastActivity }: Fields): number {
  const ends = [firstActivity, lastActivity].map(instantOf);
  const [first = '', last = ''] = ends.map((ms) => (Number.isNaN(ms) ? undefined : utcDay(ms)));
  if (first === '' || first !== last) {
    throw refused(
      'A session is not within one UTC day, or has no times. Run: ccusage daily --json',
    );
  }
  return dayNumber(first) * DAY_MS;
}

/** Splits a row of several agents, if it has counts for each. */
function byAgent(row: Fields, timestampMs: number): DatedRow[] {
  if (Array.isArray(row.agents)) {
    return row.agents.map(rowOf).map((part) => ({ timestampMs, agent: agentOf(part), row: part }));
  }
  return [{ timestampMs, agent: agentOf(row), row }];
}

function agentOf({ agent, metadata }: Fields): string | null {
  if (agent === undefined) return null;
  const agents = agent === 'all' ? fieldsOf(metadata)?.agents : [agent];
  const [only, ...others] = Array.isArray(agents) ? agents : [];
  const name = labelOf(only);
  if (name === null || name === UNKNOWN || others.length > 0) {
    throw refused('A row mixes several agents. Run: ccusage daily --json --by-agent');
  }
  return name;
}

/** Agents with another name here, and the cache counts that each reports. */
const AGENTS: Readonly<Record<string, { tool: string; reports: readonly (keyof Pillars)[] }>> = {
  claude: { tool: 'claude-code', reports: ['cache_write', 'cache_read'] },
  codex: { tool: 'codex', reports: ['cache_read'] },
};

function usesOf({ timestampMs, agent, row }: DatedRow, notes: Set<Note>): CcusageUse[] {
  const parts = partsOf(row);
  if (parts.some(({ model }) => model === UNKNOWN)) notes.add('model_unknown');
  const name = agent ?? assumedAgent(row, parts);
  if (agent === null) notes.add('tool_assumed');
  const { tool, reports } = AGENTS[name] ?? { tool: name, reports: [] };
  return parts.map(({ model, ...counts }) => {
    const pillars = { ...counts };
    for (const pillar of ['cache_write', 'cache_read'] as const) {
      if (pillars[pillar] !== 0 || reports.includes(pillar)) continue;
      pillars[pillar] = null;
      notes.add('zero_as_unreported');
    }
    return { timestampMs, tool, provider: providerOf(name, model), model, ...pillars };
  });
}

function providerOf(agent: string, model: string): string {
  if (agent === 'codex') return 'openai';
  return model.toLowerCase().includes('claude') ? 'anthropic' : UNKNOWN;
}

/** Guesses the agent. Reports before version 20, or for a single agent, do not name it. */
function assumedAgent(row: Fields, parts: readonly CcusagePart[]): string {
  if (fieldsOf(row.models)) return 'codex';
  const models = parts.map(({ model }) => model.toLowerCase());
  const named = models.filter((model) => model !== UNKNOWN);
  if (named.every((model) => model.includes('claude')) && row.messageCount === undefined)
    return 'claude';
  throw refused('It does not name the tool. Run: ccusage daily --json --by-agent');
}

/** The counts of one model in a row. */
type CcusagePart = Pillars & { model: string };

/**
 * A row's models. Remaining tokens belong to an unknown model.
 *
 * @throws {DomainError} `ingest_unreadable` if the row has no counts by model.
 */
function partsOf(row: Fields): CcusagePart[] {
  const named = namedParts(row);
  const whole = pillarsIn(row);
  const rest = named.reduce<Pillars>((left, part) => minus(left, part), whole);
  if (!arePossible(rest)) throw refused('The models of a row add up to more than the row.');
  return [...named, { ...rest, model: UNKNOWN }].filter((part) => !isEmpty(part));
}

function namedParts(row: Fields): CcusagePart[] {
  const { modelBreakdowns, modelsUsed } = row;
  const models = fieldsOf(row.models);
  if (Array.isArray(modelBreakdowns)) {
    return modelBreakdowns
      .map(rowOf)
      .map((part) => ({ ...pillarsIn(part), model: modelIn(part.modelName) }));
  }
  if (models) {
    return Object.entries(models).map(([model, part]) => ({
      ...pillarsIn(rowOf(part)),
      model: modelIn(model),
    }));
  }
  const [only, ...others] = Array.isArray(modelsUsed) ? modelsUsed : [];
  if (only === undefined || others.length > 0) {
    throw refused('It has no counts by model. Run ccusage with --breakdown.');
  }
  return [{ ...pillarsIn(row), model: modelIn(only) }];
}

/** A row, or a part of one. */
function rowOf(value: unknown): Fields {
  const row = fieldsOf(value);
  if (row === null) throw refused('A row is not an object.');
  return row;
}

function modelIn(value: unknown): string {
  const model = labelOf(value);
  if (model === null) throw refused('A model has an invalid name.');
  return model;
}

/** The counts of a row or model. In Codex reports before version 20, input includes cached tokens. */
function pillarsIn(fields: Fields): Pillars {
  const cached = countOf(fields.cachedInputTokens);
  const pillars = {
    input: (countOf(fields.inputTokens) ?? NaN) - (cached ?? 0),
    output: countOf(fields.outputTokens) ?? NaN,
    cache_write: countOf(fields.cacheCreationTokens),
    cache_read: cached ?? countOf(fields.cacheReadTokens),
  };
  if (!arePossible(pillars))
    throw refused('A count is missing, or is not a whole number from 0 to 2^53-1.');
  return pillars;
}

function minus(a: Pillars, b: Pillars): Pillars {
  const left = (from: number | null, part: number | null) =>
    from === null && part === null ? null : (from ?? 0) - (part ?? 0);
  return {
    input: a.input - b.input,
    output: a.output - b.output,
    cache_write: left(a.cache_write, b.cache_write),
    cache_read: left(a.cache_read, b.cache_read),
  };
}

function isEmpty({ input, output, cache_write, cache_read }: Pillars): boolean {
  return input + output + (cache_write ?? 0) + (cache_read ?? 0) === 0;
}

/** An error that says which format was recognized. */
export function refused(detail: string): DomainError {
  return new DomainError('ingest_unreadable', `This is a report of ccusage. ${detail}`);
}
