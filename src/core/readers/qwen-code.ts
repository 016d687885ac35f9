/**
 * Qwen Code: a line for each request in a file for each month, since the end of May 2026, which includes sub-agents and other
 * work in the background. Before that, a line for each message in the chats, which newer versions still write. A fork copies
 * the lines of a chat with their UUIDs and times.
 *
 * QwenLM/qwen-code: `packages/core/src/services/tokenUsageService.ts` at 086d813 (pull request 4564), `chatRecordingService.ts` at 015346f and
 * `sessionService.ts` at 011133c (forks) in the same folder, `packages/core/src/core/openaiContentGenerator/converter.ts` at
 * 049f7fa (estimated thoughts), `packages/core/src/core/anthropicContentGenerator/usage.ts` at 423e0f8 (the prompt includes
 * cache reads and writes), `packages/core/src/config/storage.ts` at 013e660.
 *
 * @module
 */
import type { LoggedResponse, Pillars, UsageEvent } from '../schema/usage.ts';
import { totalOf } from '../domain/counting/bucket.ts';
import { type Fields, arePossible, countOf, countOrZero, fieldsOf } from './shared/fields.ts';
import { idOf, instantOf, labelOf } from './shared/fields.ts';
import { type LogPlace, type Surroundings, listed, under } from './shared/places.ts';
import type { FileReader, FileUsage, Reader, SkipReason } from './shared/reader.ts';
import { contentOf, eachOnce, keepFullest, openLines, responseOf } from './shared/responses.ts';

/** The usage in a file of a month or in a chat. */
interface QwenUsage extends FileUsage {
  requests: QwenResponse[];
  messages: QwenResponse[];
}

interface QwenResponse extends UsageEvent {
  /** The UUID; empty if it has none. */
  id: string;
}

/** Reader of Qwen Code's requests and chats. */
export const qwenCode: Reader<QwenUsage> = {
  tool: 'qwen-code',
  name: 'Qwen Code',
  rules: 1,
  variables: ['QWEN_HOME', 'QWEN_RUNTIME_DIR'],
  places,
  needles: ['"usageMetadata"', '"localMonth"'],
  mapping: {
    logs: '`~/.qwen`',
    input:
      '`inputTokens` minus `cachedTokens`, which it includes; in chats, `promptTokenCount` minus `cachedContentTokenCount`',
    output:
      '`outputTokens`, including reasoning, or with `thoughtsTokens` if `authType` is `gemini` or `vertex-ai`. In chats, `candidatesTokenCount`, or with `thoughtsTokenCount` if `totalTokenCount` shows that it does not include them',
    cache_write: 'Not reported',
    cache_read: '`cachedTokens`; in chats, `cachedContentTokenCount`',
    unknown:
      'Cache writes. They count as fresh input. If a provider reports only a total, Qwen Code itself divides it into input and output.',
    once: 'A line in the files of `usage`: one request. Chats count until 26 May 2026, because later versions repeat the same requests there. A message that is in several chats, after a fork, counts once.',
    missing:
      'Requests of versions without these files from 27 May 2026 on. Before that, requests without a message in a chat: those of sub-agents and summaries. Sessions of 2025 in the folder `tmp`.',
  },
  open,
  merge,
};

const LOGS = ['usage/token-usage-*.jsonl', 'projects/*/chats/**/*.jsonl'];

function places(at: Surroundings): LogPlace[] {
  const homes = listed(at, 'QWEN_HOME', under(at.home, '.qwen'));
  return listed(at, 'QWEN_RUNTIME_DIR', homes).map((path) => ({ path, logs: LOGS }));
}

function open(path: string, before?: QwenUsage): FileReader<QwenUsage> {
  const requests = new Map(before?.requests.map((response) => [keyOf(response), response]));
  const messages = new Map(before?.messages.map((response) => [keyOf(response), response]));
  return openLines(path, before, {
    read(fields, skip) {
      const isMessage = fields.type === 'assistant';
      if (!isMessage && typeof fields.localMonth !== 'string') return;
      const read = isMessage ? readMessage(fields) : readRequest(fields);
      if (typeof read === 'string') skip(read);
      else if (read !== null && totalOf(read) > 0)
        keepFullest(isMessage ? messages : requests, keyOf(read), read);
    },
    said: () => ({ requests: [...requests.values()], messages: [...messages.values()] }),
  });
}

/** Reads a request of a month. */
function readRequest(request: Fields): QwenResponse | SkipReason {
  const { id, timestamp, model, authType } = request;
  const isGoogle = authType === 'gemini' || authType === 'vertex-ai';
  return responseOf({
    id: idOf(id),
    timestampMs: instantOf(timestamp),
    // Other types are protocols, which many providers use.
    provider: isGoogle ? 'google' : labelOf(null),
    model: labelOf(model),
    pillars: pillarsOf({
      prompt: countOrZero(request.inputTokens),
      output: countOrZero(request.outputTokens),
      // With other types, they are in the output. The total does not show it, because Qwen Code adds one that is missing.
      thoughts: isGoogle ? countOrZero(request.thoughtsTokens) : 0,
      cache_read: countOf(request.cachedTokens),
    }),
  });
}

/** From this time on, a version may write its requests to the files of months. It is the day of the change to the source. */
const CHATS_UNTIL_MS = Date.UTC(2026, 4, 27);

/** Reads a message of a chat; null if it has no counts, or may repeat a request. */
function readMessage(message: Fields): QwenResponse | SkipReason | null {
  const usage = fieldsOf(message.usageMetadata);
  const timestampMs = instantOf(message.timestamp);
  if (usage === null || timestampMs >= CHATS_UNTIL_MS) return null;
  return responseOf({
    id: idOf(message.uuid),
    timestampMs,
    provider: labelOf(null),
    model: labelOf(message.model),
    pillars: pillarsOf({
      prompt: countOrZero(usage.promptTokenCount),
      output: countOrZero(usage.candidatesTokenCount),
      thoughts: thoughtsBeside(usage),
      cache_read: countOf(usage.cachedContentTokenCount),
    }),
  });
}

/** The thoughts that the output does not include: none, unless the total shows it. Some are only estimated. */
function thoughtsBeside(usage: Fields): number {
  const thoughts = countOrZero(usage.thoughtsTokenCount);
  const others = countOrZero(usage.promptTokenCount) + countOrZero(usage.candidatesTokenCount);
  return countOf(usage.totalTokenCount) === others + thoughts ? thoughts : 0;
}

interface Counts {
  prompt: number;
  output: number;
  thoughts: number;
  cache_read: number | null;
}

/** The four token types; null if a count is invalid. The prompt includes the cache. */
function pillarsOf({ prompt, output, thoughts, cache_read }: Counts): Pillars | null {
  const input = prompt - (cache_read ?? 0);
  const pillars = { input, output: output + thoughts, cache_write: null, cache_read };
  return arePossible({ ...pillars, output }) && arePossible(pillars) ? pillars : null;
}

function keyOf(response: QwenResponse): string {
  return response.id || `\n${response.timestampMs} ${contentOf(response)}`;
}

function merge(files: readonly QwenUsage[]): LoggedResponse[] {
  return eachOnce(
    files.flatMap(({ requests, messages }) => [...requests, ...messages]),
    keyOf,
  );
}
