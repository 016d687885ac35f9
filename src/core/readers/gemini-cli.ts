/**
 * Gemini CLI: a session is one JSON document in older versions, and one JSON object in each line in newer ones. A message is
 * written again when its tokens or tool results arrive, and with the whole history when a session is resumed or
 * compressed. Messages that were rewound still count.
 *
 * @module
 */
import type { LoggedResponse, Pillars, UsageEvent } from '../schema/usage.ts';
import { totalOf } from '../domain/counting/bucket.ts';
import {
  type Fields,
  areCounts,
  arePossible,
  countOf,
  countOrZero,
  fieldsOf,
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
  logNameOf,
} from './shared/reader.ts';
import { contentOf, keepFullest, loggedAs, openLines, responseOf } from './shared/responses.ts';

/** The usage in one session file. */
interface GeminiUsage extends FileUsage {
  /** The session ID; empty if the file has none. */
  session: string;
  responses: GeminiResponse[];
}

interface GeminiResponse extends UsageEvent {
  /** The message ID; empty if it has none. */
  id: string;
}

/** Reader of Gemini CLI's sessions. */
export const geminiCli: Reader<GeminiUsage> = {
  tool: 'gemini-cli',
  name: 'Gemini CLI',
  rules: 1,
  variables: ['GEMINI_CLI_HOME', 'GEMINI_DATA_DIR'],
  places,
  needles: ['"tokens"', '"sessionId"'],
  mapping: {
    logs: '`~/.gemini/tmp`',
    input: '`input` minus `cached`, which it includes, plus `tool`',
    output: '`output` plus `thoughts`',
    cache_write: 'Not reported',
    cache_read: '`cached`',
    unknown: 'Cache writes. They count as fresh input, and Dev10x is null.',
    once: 'Gemini CLI writes a message again when its tokens and tool results arrive, when a session is resumed, and when its history is rewritten. All copies of a message in a session count as one. Messages that were rewound still count, because their tokens were spent.',
    missing:
      'Deleted sessions, and requests that leave no message, such as compression and summaries.',
  },
  open,
  merge,
};

/** The file of a session, or of a sub-agent in the session's folder. */
const CHATS = ['chats/session-*.json', 'chats/session-*.jsonl', 'chats/*/*.jsonl'];

/** `GEMINI_CLI_HOME` is the tool's own variable. `GEMINI_DATA_DIR` is used by programs that read its logs. */
function places(at: Surroundings): LogPlace[] {
  const logs = CHATS.flatMap((chat) => [chat, `*/${chat}`]);
  const named = listed(at, 'GEMINI_DATA_DIR', []);
  if (named.length > 0) return named.map((path) => ({ path, logs, inside: 'tmp' }));
  return under(at.env.GEMINI_CLI_HOME || at.home, '.gemini', 'tmp').map((path) => ({ path, logs }));
}

function open(path: string, before?: GeminiUsage): FileReader<GeminiUsage> {
  const responses = new Map(before?.responses.map((response) => [keyOf(response), response]));
  let session = before?.session ?? '';
  return openLines(path, before, {
    read(fields, skip) {
      session ||= sessionOf(fields);
      for (const message of messagesIn(fields)) {
        const read = readMessage(message);
        if (typeof read === 'string') skip(read);
        else if (read !== null) keepFullest(responses, keyOf(read), read);
      }
    },
    said: () => ({ session, responses: [...responses.values()] }),
  });
}

function sessionOf(fields: Fields): string {
  return idOf(fields.sessionId) || idOf(fieldsOf(fields.$set)?.sessionId) || '';
}

/** Documents and updates contain a list of messages. Any other line may be a message itself. */
function messagesIn(fields: Fields): Fields[] {
  const listed = fields.messages ?? fieldsOf(fields.$set)?.messages;
  const messages = Array.isArray(listed) ? listed.map(fieldsOf) : [fields];
  return messages.filter((message) => message !== null);
}

/** Reads a message; null if it is not a response, or has no tokens yet. */
function readMessage(message: Fields): GeminiResponse | SkipReason | null {
  if (message.type !== 'gemini' || (message.tokens ?? null) === null) return null;
  const tokens = fieldsOf(message.tokens);
  return responseOf({
    id: idOf(message.id),
    timestampMs: instantOf(message.timestamp),
    provider: 'google',
    model: labelOf(message.model),
    pillars: tokens && pillarsOf(tokens),
  });
}

/** The four token types; null if a count is invalid. */
function pillarsOf(tokens: Fields): Pillars | null {
  const cache_read = countOf(tokens.cached);
  const tool = countOrZero(tokens.tool);
  const thoughts = countOrZero(tokens.thoughts);
  const input = countOrZero(tokens.input) - cachedWithin(tokens);
  const output = countOrZero(tokens.output);
  const pillars = { input: input + tool, output: output + thoughts, cache_write: null, cache_read };
  return areCounts([input, output, thoughts, tool]) && arePossible(pillars) ? pillars : null;
}

/** The cached tokens that the input includes: all of them, unless the total shows that they are separate. */
function cachedWithin({ input, output, cached, thoughts, tool, total }: Fields): number {
  const told = [input, output, cached, thoughts, tool].map(countOrZero);
  return countOf(total) === told.reduce((sum, count) => sum + count) ? 0 : countOrZero(cached);
}

/** The key of a response within its session. */
function keyOf(response: GeminiResponse): string {
  return response.id || `\ncontent ${response.timestampMs} ${contentOf(response)}`;
}

function merge(files: readonly GeminiUsage[]): LoggedResponse[] {
  const all = new Map<string, GeminiResponse>();
  /** The logs of responses without a session ID. */
  const logs = new Map<string, string>();
  for (const { session, path, responses } of files) {
    for (const response of responses) {
      const key = `${session || path}\n${keyOf(response)}`;
      keepFullest(all, key, response);
      if (session === '') logs.set(key, logNameOf(path));
    }
  }
  const logged: LoggedResponse[] = [];
  for (const [key, response] of all) {
    if (totalOf(response) === 0) continue;
    const log = logs.get(key);
    logged.push(loggedAs(log === undefined ? key : keyWithin(log, response), response));
  }
  return logged;
}

/** The key of a response without a session ID. It includes the time, because another log may have the same name and ID. */
function keyWithin(log: string, response: GeminiResponse): string {
  return `${log}\n${keyOf(response)}\n${response.timestampMs}`;
}
