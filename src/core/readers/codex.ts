/**
 * Codex: one JSON object in each line. Every response is followed by a `token_count`, which is repeated when the rate
 * limits are refreshed, and replayed when a session is forked. Newer versions also write a `token_usage_record`.
 * `codex-file.ts` decides which of them count.
 *
 * OpenClaw gives Codex other folders: openclaw/openclaw pull requests 74556 and 115611, junhoyeo/tokscale issue 1298 and pull
 * request 1312. OpenClaw's reader leaves these turns out.
 *
 * @module
 */
import { OPENCLAW_VARIABLES, openClawFolders } from './openclaw.ts';
import { type LogPlace, type Surroundings, listed, under } from './shared/places.ts';
import { UNKNOWN } from '../schema/usage.ts';
import {
  type CodexUsage,
  type TokenReport,
  type Tokens,
  areZero,
  copyOf,
  emptyUsage,
  growth,
  pillarsOf,
  readTokens,
  reportKey,
  tupleOf,
  uuidMs,
  mergeLineages,
} from './codex-file.ts';
import { type Fields, fieldsOf, idOf, instantOf, labelOf, parseFields } from './shared/fields.ts';
import {
  type FileReader,
  type Reader,
  type SkipReason,
  addSkip,
  unparsed,
} from './shared/reader.ts';

/** Reader of Codex rollouts. */
export const codex: Reader<CodexUsage> = {
  tool: 'codex',
  name: 'Codex',
  rules: 2,
  variables: ['CODEX_HOME', ...OPENCLAW_VARIABLES],
  places,
  needles: [
    '"token_count"',
    '"turn_context"',
    '"session_meta"',
    '"token_usage_record"',
    '"compaction_response_id"',
  ],
  mapping: {
    logs: '`sessions` and `archived_sessions` in `~/.codex`. Codex of OpenClaw: the same folders in `~/.codex-coding-agent` and in `~/.openclaw/agents`',
    input:
      '`input_tokens` minus `cached_input_tokens` and `cache_write_input_tokens`, which it includes',
    output: '`output_tokens`, including reasoning',
    cache_write: '`cache_write_input_tokens`',
    cache_read: '`cached_input_tokens`',
    unknown:
      'Cache writes, in versions that do not report them. Their cache writes count as fresh input, and Dev10x is null.',
    once: 'Codex repeats a count when it refreshes rate limits, and replays it when a session is forked. A running total and its last response count as one response, within a session and all its forks. If a line has a total but no last response, the increase of the total counts.',
    missing:
      'The part of a forked session that only its parent logged, if the log of the parent is lost. Equal counts in unrelated sessions are not duplicates: they count as two responses.',
  },
  open,
  merge: mergeLineages,
};

const FOLDERS = ['sessions', 'archived_sessions'];
const LINES = ['**/*.jsonl', '**/*.jsonl.zst'];

function places(at: Surroundings): LogPlace[] {
  const named = listed(at, 'CODEX_HOME', []);
  if (named.length > 0) return named.flatMap(inHome);
  return [
    ...under(at.home, '.codex').flatMap(inHome),
    ...under(at.home, '.codex-coding-agent').flatMap(inHome),
    ...openClawFolders(at).map((path) => ({ path, logs: IN_OPENCLAW })),
  ];
}

function inHome(home: string): LogPlace[] {
  return FOLDERS.map((name) => ({ path: `${home}/${name}`, logs: LINES }));
}

/** Where OpenClaw lets Codex write: for each agent, and for each account that Codex runs with. */
const IN_OPENCLAW = ['codex-home', 'cli-auth/codex/*'].flatMap((home) =>
  FOLDERS.flatMap((name) => LINES.map((lines) => `agents/*/agent/${home}/${name}/${lines}`)),
);

function open(path: string, before?: CodexUsage): FileReader<CodexUsage> {
  const file = { ...copyOf(before ?? emptyUsage(path)), path };
  const known = new Set(file.reports.map(reportKey));

  function line(text: string): void {
    const fields = parseFields(text);
    const fault = fields === null ? unparsed(text) : takeLine(file, known, fields);
    if (fault !== null) addSkip(file.skipped, fault);
  }

  return { line, finish: () => copyOf(file) };
}

/** Why a line was skipped; null if it was not. */
type Fault = SkipReason | null;

function takeLine(file: CodexUsage, known: Set<string>, line: Fields): Fault {
  const payload = fieldsOf(line.payload);
  if (payload === null) return null;
  switch (line.type) {
    case 'session_meta':
      return takeSession(file, line, payload);
    case 'turn_context':
      return takeTurn(file, payload);
    case 'compacted':
      return takeCompaction(file, payload);
    case 'token_usage_record':
      return takeRecord(file, known, line, payload);
    case 'event_msg':
      return payload.type === 'token_count' ? takeCount(file, known, line, payload) : null;
    default:
      return null;
  }
}

/** The first session owns the rollout. Later ones are from replayed history. */
function takeSession(file: CodexUsage, line: Fields, payload: Fields): Fault {
  const id = idOf(payload.id);
  const parent = parentOf(line, payload);
  if (id === null || parent === null) return 'id';
  if (!file.is_named) return takeOwner(file, line, payload, { id, parent });
  if (id !== '' && id !== file.session.id) file.ancestors.push([id, parent]);
  return null;
}

function takeOwner(
  file: CodexUsage,
  line: Fields,
  payload: Fields,
  { id, parent }: { id: string; parent: string },
): Fault {
  const provider = payload.model_provider ? labelOf(payload.model_provider) : 'openai';
  const startMs = [line.timestamp, payload.timestamp].map(instantOf).find((ms) => ms > 0);
  file.is_named = true;
  file.session = {
    id: id || file.session.id,
    parent,
    provider: provider ?? UNKNOWN,
    startMs: startMs ?? null,
  };
  return provider === null ? 'name' : null;
}

/** Forks name their parent in one member, sub-agents in one of two others. */
function parentOf(line: Fields, payload: Fields): string | null {
  const subagent = fieldsOf(fieldsOf(payload.source)?.subagent);
  const places = [
    payload.forked_from_id,
    fieldsOf(subagent?.thread_spawn)?.parent_thread_id,
    payload.parent_thread_id,
    line.parent_thread_id,
  ];
  return idOf(places.find((place) => typeof place === 'string' && place !== ''));
}

function takeTurn(file: CodexUsage, payload: Fields): Fault {
  const model = labelOf(payload.model);
  file.model = model ?? UNKNOWN;
  file.turnMs = uuidMs(payload.turn_id);
  return model === null ? 'name' : null;
}

function takeCompaction(file: CodexUsage, payload: Fields): Fault {
  const id = idOf(payload.compaction_response_id);
  if (id) file.compactions.push(id);
  return id === null ? 'id' : null;
}

/** A count has the tokens of the last response, or only the running total. */
function takeCount(file: CodexUsage, known: Set<string>, line: Fields, payload: Fields): Fault {
  const info = fieldsOf(payload.info);
  if (info === null) return (payload.info ?? null) === null ? null : 'count';
  const total = tokensIn(info.total_token_usage);
  const last = tokensIn(info.last_token_usage);
  if (total === 'impossible' || last === 'impossible') return 'count';
  const spent = last ?? (total && growth(file.total, total));
  file.total = total ?? file.total;
  const from = { line, model: info.model, response_id: null, total, last };
  return spent && addReport(file, known, spent, from);
}

function takeRecord(file: CodexUsage, known: Set<string>, line: Fields, payload: Fields): Fault {
  const last = tokensIn(payload.usage);
  const total = tokensIn(payload.thread_token_usage);
  const response_id = idOf(payload.response_id);
  if (total === 'impossible' || last === 'impossible') return 'count';
  if (response_id === null) return 'id';
  const from = { line, model: payload.model, response_id, total, last };
  return last && addReport(file, known, last, from);
}

function tokensIn(value: unknown): Tokens | null | 'impossible' {
  if (value === undefined || value === null) return null;
  const fields = fieldsOf(value);
  return (fields && readTokens(fields)) ?? 'impossible';
}

/** Where counts come from. */
interface Origin {
  line: Fields;
  model: unknown;
  response_id: string | null;
  total: Tokens | null;
  last: Tokens | null;
}

/** Adds a report, unless it is zero or already known. */
function addReport(file: CodexUsage, known: Set<string>, spent: Tokens, from: Origin): Fault {
  if (areZero(spent)) return null;
  const timestampMs = instantOf(from.line.timestamp);
  const model = from.model ? labelOf(from.model) : file.model;
  const pillars = pillarsOf(spent);
  if (pillars === null) return 'count';
  if (model === null) return 'name';
  if (Number.isNaN(timestampMs)) return 'time';

  const report: TokenReport = {
    response_id: from.response_id,
    total: from.total ? tupleOf(from.total) : '',
    last: from.last ? tupleOf(from.last) : '',
    turnMs: file.turnMs,
    timestampMs,
    model,
    ...pillars,
  };
  const key = reportKey(report);
  if (!known.has(key)) file.reports.push(report);
  known.add(key);
  return null;
}
