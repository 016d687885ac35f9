/**
 * DeepSeek Harness: one event in each line of a session file, mostly compressed. When the format changes, a newer version
 * writes the session to another file next to the older one. A fork copies events, and a plugin for editing messages gives
 * the copies a new time. All keep the IDs of messages.
 *
 * deepseek-ai/deepseek-harness, as copied in toninfo/deepseek-harness: `packages/llm/token-meter/src/usage-projection.ts`
 * at 1504ada, `packages/session/session-persistence-jsonl/src/format.ts` at 68e4590. Usage in the stream: junhoyeo/tokscale
 * `crates/tokscale-core/src/sessions/dsh.rs` at 2951525, pull request 1126. Unlike there, a summary has no `message`, but
 * `provider` and `model`: `SessionEventMap` in `@deepseek-ai/dsh-compaction`.
 *
 * @module
 */
import type { LoggedResponse, Pillars, UsageEvent } from '../schema/usage.ts';
import { type Fields, arePossible, countOf, countOrZero, fieldsOf } from './shared/fields.ts';
import { idOf, instantOf, labelOf } from './shared/fields.ts';
import { type LogPlace, type Surroundings, listed, under } from './shared/places.ts';
import type { FileReader, FileUsage, Reader, SkipReason } from './shared/reader.ts';
import { contentOf, eachOnce, openResponses, responseOf } from './shared/responses.ts';

/** The usage in a session file. */
interface HarnessUsage extends FileUsage {
  responses: HarnessResponse[];
}

interface HarnessResponse extends UsageEvent {
  /** The ID of the message or of the compaction, after the type of the event; empty if it has none. */
  id: string;
}

const MESSAGE = 'assistant/message';
const SUMMARY = 'compaction/summary';

/** Reader of DeepSeek Harness's sessions. */
export const deepSeekHarness: Reader<HarnessUsage> = {
  tool: 'deepseek-harness',
  name: 'DeepSeek Harness',
  rules: 1,
  variables: ['DSH_HOME'],
  places,
  needles: [`"${MESSAGE}"`, `"${SUMMARY}"`],
  mapping: {
    logs: '`~/.dsh/sessions`, or `sessions` in the folder `DSH_HOME`',
    input: '`inputTokens`: tokens neither read from the cache nor written to it',
    output: '`outputTokens`, which includes `reasoningTokens`',
    cache_write: '`cacheWriteTokens`',
    cache_read: '`cacheReadTokens`',
    unknown: 'A cache count that the event does not contain.',
    once: 'A message or summary that is in several files of a session, or in a fork, counts once.',
    missing:
      'Attempts that failed or were stopped: the formats of sessions identify them differently. Requests for titles and web searches: the logs do not contain their tokens. Compressed sessions, which are the default, if Node.js is older than 22.15. `opbench` reports this.',
  },
  open,
  merge,
};

/** In the folder of a session, in that of its working folder. The name contains the format: `session.v4.jsonl.zstd`. */
const SESSIONS = ['*/*/session*.jsonl', '*/*/session*.jsonl.zstd'];

function places(at: Surroundings): LogPlace[] {
  const folders = listed(at, 'DSH_HOME', under(at.home, '.dsh'));
  return folders
    .flatMap((folder) => under(folder, 'sessions'))
    .map((path) => ({ path, logs: SESSIONS }));
}

function open(path: string, before?: HarnessUsage): FileReader<HarnessUsage> {
  return openResponses(path, before, { read: readEvent, keyOf });
}

/** Names, null if invalid. */
interface Names {
  provider: string | null;
  model: string | null;
}

/** Reads an event; null if it is not a response of a model. */
function readEvent({ type, time, data: content }: Fields): HarnessResponse | SkipReason | null {
  const data = fieldsOf(content);
  if (data === null || (type !== MESSAGE && type !== SUMMARY)) return null;
  const usage = usageOf(data);
  if (usage === null) return null;
  const message = fieldsOf(data.message);
  const id = idOf(type === MESSAGE ? message?.id : data.compactionId);
  return responseOf({
    id: id && `${type} ${id}`,
    timestampMs: instantOf(time),
    // A message names them in its source, a summary itself.
    ...namesOf(fieldsOf(message?.source) ?? data),
    pillars: pillarsOf(usage),
  });
}

/** The provider and the model that answered, which may be another one than was asked. */
function namesOf({ provider, model, replayState }: Fields): Names {
  const response = fieldsOf(fieldsOf(replayState)?.response);
  return { provider: labelOf(provider), model: labelOf(response?.responseModel || model) };
}

/** The usage of an event, else the last one in its stream; null if there is none. */
function usageOf({ usage, stream }: Fields): Fields | null {
  const chunks = Array.isArray(stream) ? stream.map((part) => fieldsOf(fieldsOf(part)?.chunk)) : [];
  const last = chunks.findLast((chunk) => chunk?.type === 'usage');
  return fieldsOf(usage) ?? fieldsOf(last?.usage);
}

/** The four token types; null if a count is invalid. */
function pillarsOf(usage: Fields): Pillars | null {
  const told = {
    input: countOrZero(usage.inputTokens),
    output: countOrZero(usage.outputTokens),
    cache_write: countOf(usage.cacheWriteTokens),
    cache_read: countOf(usage.cacheReadTokens),
  };
  return arePossible(told) ? told : null;
}

/** Copies keep the ID, but not always the time. */
function keyOf(response: HarnessResponse): string {
  return response.id || `${response.timestampMs}\n${contentOf(response)}`;
}

function merge(files: readonly HarnessUsage[]): LoggedResponse[] {
  return eachOnce(
    files.flatMap(({ responses }) => responses),
    keyOf,
  );
}
