/**
 * OpenClaw: one event in each line of a session file, or in each row of an agent's database since 2026.8.1. A session exists
 * several times: as a file, in the database, in archives, and in forks, which copy events unchanged. If another assistant's
 * CLI ran a turn, OpenClaw adds a message with the sum of the turn, or with its last response.
 *
 * openclaw/openclaw: `src/state/openclaw-agent-schema.sql` at 0b03f83, `src/config/paths.ts` at 009f160,
 * `src/config/sessions/artifacts.ts` at 0849551, `persistCliTurnTranscript` in `src/agents/command`. `event_zstd` and the
 * prefix of Codex turns: junhoyeo/tokscale `crates/tokscale-core/src/sessions/openclaw.rs` at 0279552, pull request 1278.
 *
 * @module
 */
import type { LoggedResponse, Pillars, UsageEvent } from '../schema/usage.ts';
import { type Fields, arePossible, countOf, countOrZero, fieldsOf } from './shared/fields.ts';
import { idOf, instantOf, labelOf } from './shared/fields.ts';
import { type LogPlace, type Surroundings, listed, under } from './shared/places.ts';
import type { FileReader, FileUsage, Reader, SkipReason } from './shared/reader.ts';
import { contentOf, eachOnce, openResponses, responseOf } from './shared/responses.ts';

/** The usage in a session, an archive or an agent's database. */
interface OpenClawUsage extends FileUsage {
  responses: OpenClawResponse[];
}

interface OpenClawResponse extends UsageEvent {
  /** The provider's ID of the response; empty if it has none. */
  id: string;
}

/** The variables on which the folders depend. */
export const OPENCLAW_VARIABLES = ['OPENCLAW_HOME', 'OPENCLAW_STATE_DIR', 'CLAWDBOT_STATE_DIR'];

/** Reader of OpenClaw's databases, sessions and archives. */
export const openClaw: Reader<OpenClawUsage> = {
  tool: 'openclaw',
  name: 'OpenClaw',
  rules: 1,
  variables: OPENCLAW_VARIABLES,
  places,
  needles: ['"usage"'],
  tables: [{ name: 'transcript_events', id: 'seq', data: 'event_json', packed: 'event_zstd' }],
  mapping: {
    logs: '`~/.openclaw`; `OPENCLAW_STATE_DIR` may list several folders, for example of profiles',
    input:
      '`input`: tokens neither read from the cache nor written to it. If `totalTokens` shows that it includes `cacheRead`, as in older versions with Gemini, the difference',
    output: '`output`, including reasoning',
    cache_write: '`cacheWrite`',
    cache_read: '`cacheRead`',
    unknown: 'A cache count that the message does not contain.',
    once: 'A message that is in a session file, the database, an archive or a fork counts once.',
    missing:
      'Turns that OpenClaw runs through the CLI of another assistant, such as Claude Code or Codex. That assistant has its own log. Sessions that OpenClaw deletes without an archive. Databases, if Node.js is older than 22.15. `opbench` reports this.',
  },
  open,
  merge,
};

/** The folder, that of `openclaw --dev`, and former names. */
const FOLDERS = ['.openclaw', '.openclaw-dev', '.clawdbot', '.moltbot', '.moldbot'];

const LOGS_OF_AN_AGENT = [
  'agent/openclaw-agent.sqlite',
  'sessions/*.jsonl',
  'sessions/*.jsonl.deleted.*',
  'sessions/*.jsonl.reset.*',
  'sessions/cold/*.jsonl.zst',
  'session-sqlite-import-archive/*.jsonl.*imported-*',
];

/** In the oldest versions, sessions belong to no agent. */
const LOGS = [...LOGS_OF_AN_AGENT.map((log) => `agents/*/${log}`), 'sessions/*.jsonl'];

/** Files that repeat the messages of a session. */
const EXCEPT = ['**/*.trajectory.jsonl*', '**/*.checkpoint.*.jsonl*'];

function places(at: Surroundings): LogPlace[] {
  return openClawFolders(at).map((path) => ({ path, logs: LOGS, except: EXCEPT }));
}

/** The folders of OpenClaw's profiles. */
export function openClawFolders(at: Surroundings): string[] {
  const [home] = listed(at, 'OPENCLAW_HOME', under(at.home));
  const defaults = FOLDERS.flatMap((name) => under(home, name));
  return listed(at, 'OPENCLAW_STATE_DIR', listed(at, 'CLAWDBOT_STATE_DIR', defaults));
}

function open(path: string, before?: OpenClawUsage): FileReader<OpenClawUsage> {
  return openResponses(path, before, { read: readEvent, keyOf });
}

/** Reads an event; null if it is not a response of a model. */
function readEvent({
  type,
  timestamp,
  message: content,
}: Fields): OpenClawResponse | SkipReason | null {
  const message = fieldsOf(content);
  const usage = fieldsOf(message?.usage);
  if (type !== 'message' || message?.role !== 'assistant' || usage === null) return null;
  if (isOfAnotherCli(message)) return null;
  return responseOf({
    id: idOf(message.responseId),
    timestampMs: instantOf(message.timestamp ?? timestamp),
    provider: labelOf(message.provider),
    model: labelOf(message.model),
    pillars: pillarsOf(usage),
  });
}

/** Whether another assistant's CLI made the turn, which has a log of its own. */
function isOfAnotherCli({ api, idempotencyKey }: Fields): boolean {
  return api === 'cli' || String(idempotencyKey).startsWith('codex-app-server:');
}

/** The four token types; null if a count is invalid. */
function pillarsOf(usage: Fields): Pillars | null {
  const told = {
    input: countOrZero(usage.input),
    output: countOrZero(usage.output),
    cache_write: countOf(usage.cacheWrite),
    cache_read: countOf(usage.cacheRead),
  };
  if (!arePossible(told)) return null;
  const cached = told.cache_read ?? 0;
  const isWithin = cached <= told.input && countOf(usage.totalTokens) === told.input + told.output;
  return isWithin ? { ...told, input: told.input - cached } : told;
}

/** The time is included because some providers use the same ID for every response. */
function keyOf(response: OpenClawResponse): string {
  return `${response.timestampMs}\n${response.id || contentOf(response)}`;
}

function merge(files: readonly OpenClawUsage[]): LoggedResponse[] {
  return eachOnce(
    files.flatMap(({ responses }) => responses),
    keyOf,
  );
}
