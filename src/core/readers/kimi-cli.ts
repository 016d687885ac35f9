/**
 * Kimi CLI: one event in each line of `wire.jsonl`. After a step, the tokens of its request follow, without the model. A
 * fork copies lines. The events of a sub-agent are also in the log of the session that started it; since March 2026, they
 * name the sub-agent there, and it has a log of its own.
 *
 * MoonshotAI/kimi-cli: `src/kimi_cli/wire/types.py` at 026ae98 (`StatusUpdate`, `SubagentEvent`),
 * `src/kimi_cli/subagents/runner.py` at 3eaf393, `src/kimi_cli/session_fork.py` at 1a8649f, `src/kimi_cli/share.py` at 4a550ef.
 *
 * @module
 */
import { type LoggedResponse, type Pillars, UNKNOWN, type UsageEvent } from '../schema/usage.ts';
import { type Fields, arePossible, countOf, countOrZero, fieldsOf } from './shared/fields.ts';
import { idOf, instantOf } from './shared/fields.ts';
import { type LogPlace, type Surroundings, listed, under } from './shared/places.ts';
import type { FileReader, FileUsage, Reader, SkipReason } from './shared/reader.ts';
import { contentOf, eachOnce, openResponses, responseOf } from './shared/responses.ts';

/** The usage in the log of a session or a sub-agent. */
interface KimiCliUsage extends FileUsage {
  responses: KimiCliResponse[];
}

interface KimiCliResponse extends UsageEvent {
  /** The provider's ID of the response; empty if it has none. */
  id: string;
}

/** Reader of Kimi CLI's sessions. */
export const kimiCli: Reader<KimiCliUsage> = {
  tool: 'kimi-cli',
  name: 'Kimi CLI',
  rules: 1,
  variables: ['KIMI_SHARE_DIR'],
  places,
  needles: ['"token_usage"'],
  mapping: {
    logs: '`~/.kimi/sessions`, or `sessions` in the folder `KIMI_SHARE_DIR`',
    input: '`input_other`: tokens neither read from the cache nor written to it',
    output: '`output`, including reasoning',
    cache_write: '`input_cache_creation`',
    cache_read: '`input_cache_read`',
    unknown:
      'Model and provider, which are not in the log. A cache count that the log does not contain. Kimi CLI writes 0 if a provider reports none.',
    once: 'A step that is in a fork, or in the logs of a sub-agent and of the session that started it, counts once.',
    missing:
      'Requests that summarize a session: their tokens are not in the log. Sessions before December 2025. Deleted sessions. With Gemini models, Kimi CLI adds the cache reads to `input_other`, too. The log does not show it, so they count twice.',
  },
  open,
  merge,
};

/** In the folder of a session, in that of its working folder. */
const LOGS = ['*/*/wire.jsonl', '*/*/subagents/*/wire.jsonl'];

function places(at: Surroundings): LogPlace[] {
  const folders = listed(at, 'KIMI_SHARE_DIR', under(at.home, '.kimi'));
  return folders
    .flatMap((folder) => under(folder, 'sessions'))
    .map((path) => ({ path, logs: LOGS }));
}

function open(path: string, before?: KimiCliUsage): FileReader<KimiCliUsage> {
  return openResponses(path, before, { read: readEvent, keyOf });
}

/** Reads an event; null if it is not the end of a step, or a copy that cannot be distinguished from the original. */
function readEvent({ timestamp, message }: Fields): KimiCliResponse | SkipReason | null {
  const { event, isCopy } = unwrapped(fieldsOf(message));
  const step = event?.type === 'StatusUpdate' ? fieldsOf(event.payload) : null;
  const usage = fieldsOf(step?.token_usage);
  const id = idOf(step?.message_id);
  if (usage === null || (isCopy && id === '')) return null;
  return responseOf({
    id,
    timestampMs: instantOf(timestamp),
    provider: UNKNOWN,
    model: UNKNOWN,
    pillars: pillarsOf(usage),
  });
}

/** The event of a sub-agent in an event of its session. It is a copy if the sub-agent, which it names, has a log. */
function unwrapped(message: Fields | null): { event: Fields | null; isCopy: boolean } {
  let event = message;
  let isCopy = false;
  while (event?.type === 'SubagentEvent') {
    const outer = fieldsOf(event.payload);
    isCopy ||= Boolean(outer?.agent_id);
    event = fieldsOf(outer?.event);
  }
  return { event, isCopy };
}

/** The four token types; null if a count is invalid. */
function pillarsOf(usage: Fields): Pillars | null {
  const told = {
    input: countOrZero(usage.input_other),
    output: countOrZero(usage.output),
    cache_write: countOf(usage.input_cache_creation),
    cache_read: countOf(usage.input_cache_read),
  };
  return arePossible(told) ? told : null;
}

/**
 * Counts are included because some providers use the same ID for every response. The log of a sub-agent has another time
 * than its copy.
 */
function keyOf(response: KimiCliResponse): string {
  return `${response.id || response.timestampMs}\n${contentOf(response)}`;
}

function merge(files: readonly KimiCliUsage[]): LoggedResponse[] {
  return eachOnce(
    files.flatMap(({ responses }) => responses),
    keyOf,
  );
}
