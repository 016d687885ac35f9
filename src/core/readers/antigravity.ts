/**
 * Antigravity: a database for each conversation. A row of `gen_metadata` is one request, as a message of Protocol Buffers. In
 * newer versions, only the steps that it led to have a time. The metadata of steps repeats the usage.
 *
 * Not open source. The fields are from the descriptors in Google's own programs, as listed by two readers that agree
 * (robinebers/openusage pull request 1139; kenn-io/agentsview `internal/parser/antigravity.go` at 002f672, checked against 550 of
 * Antigravity's own reports): `CortexStepGeneratorMetadata` 1 `chat_model`, 2 `step_indices`; `ChatModelMetadata` 4 `usage`, 9
 * `chat_start_metadata`, 19 `response_model`, 21 `model_display_name`; `ChatStartMetadata` 4 `created_at`; `ModelUsageStats` 2
 * `input_tokens`, 3 `output_tokens`, 4 `cache_write_tokens`, 5 `cache_read_tokens`, 11 `response_id`; `CortexStepMetadata` 1
 * `created_at`. Missing times: junhoyeo/tokscale issue 1184.
 *
 * @module
 */
import type { LoggedResponse, Pillars, UsageEvent } from '../schema/usage.ts';
import { totalOf } from '../domain/counting/bucket.ts';
import { type Fields, arePossible, idOf, instantOf, labelOf } from './shared/fields.ts';
import { type LogPlace, type Surroundings, under } from './shared/places.ts';
import {
  type Message,
  countIn,
  countsIn,
  messageIn,
  messageOf,
  textIn,
} from './shared/protobuf.ts';
import {
  type FileReader,
  type FileUsage,
  type Reader,
  type SkipReason,
  logNameOf,
} from './shared/reader.ts';
import { eachOnce, keepFullest, openLines, responseOf } from './shared/responses.ts';

/** The usage in a conversation. */
interface AntigravityUsage extends FileUsage {
  responses: AntigravityResponse[];
}

interface AntigravityResponse extends UsageEvent {
  /** The ID of the response, else the name of the database and the number of the row. */
  id: string;
}

/** Reader of Antigravity's conversations. */
export const antigravity: Reader<AntigravityUsage> = {
  tool: 'antigravity',
  name: 'Antigravity',
  rules: 1,
  variables: ['GEMINI_CLI_HOME'],
  places,
  needles: [],
  // The times of steps come first.
  tables: [
    { name: 'steps', columns: ['idx'], optional: ['metadata'] },
    { name: 'gen_metadata', columns: ['idx', 'data'] },
  ],
  mapping: {
    logs: '`conversations` and `implicit` in `antigravity-cli`, `antigravity` and `antigravity-ide` in `~/.gemini`',
    input: '`input_tokens`: tokens neither read from the cache nor written to it',
    output: '`output_tokens`, including reasoning',
    cache_write: '`cache_write_tokens`',
    cache_read: '`cache_read_tokens`',
    unknown: 'Nothing. Antigravity leaves out counts of 0.',
    once: 'A row of `gen_metadata`: one request. Copies of a response count once.',
    missing:
      'Conversations of older versions, which are encrypted (`.pb`). Attempts that were repeated. Requests of which the database has no time, or only the steps. Deleted conversations. Databases, if Node.js is older than 22.13. `opbench` reports this.',
  },
  open,
  merge,
};

function places({ env, home }: Surroundings): LogPlace[] {
  const [folder] = under(env.GEMINI_CLI_HOME || home, '.gemini');
  return ['antigravity-cli', 'antigravity', 'antigravity-ide']
    .flatMap((name) => under(folder, name))
    .map((path) => ({ path, logs: ['conversations/*.db', 'implicit/*.db'] }));
}

function open(path: string): FileReader<AntigravityUsage> {
  const times = new Map<number, number>();
  const responses = new Map<string, AntigravityResponse>();
  return openLines(path, undefined, {
    read(fields, skip) {
      if (fields.table === 'steps') {
        const step = messageOf(fields.metadata);
        if (step !== null) times.set(Number(fields.idx), timeIn(step, 1));
        return;
      }
      const read = readRow(fields, times, logNameOf(path));
      if (typeof read === 'string') skip(read);
      else if (read !== null && totalOf(read) > 0) keepFullest(responses, read.id, read);
    },
    said: () => ({ responses: [...responses.values()] }),
  });
}

/** Reads a row; null if it is not a request with usage. */
function readRow(
  row: Fields,
  times: ReadonlyMap<number, number>,
  name: string,
): AntigravityResponse | SkipReason | null {
  if (row.data === null) return null;
  const generation = messageOf(row.data);
  const chat = generation && messageIn(generation, 1);
  const usage = chat && messageIn(chat, 4);
  if (generation === null || chat === null || usage === null) return 'not_json';
  if (usage.size === 0) return null;
  const id = textIn(usage, 11);
  return responseOf({
    id: id === '' ? `${name} ${idOf(row.idx)}` : idOf(id),
    timestampMs: timeOf(generation, chat, times),
    // Google also serves the models of others.
    provider: 'google',
    model: labelOf(textIn(chat, 19) || textIn(chat, 21)),
    pillars: pillarsOf(usage),
  });
}

/** The request's own time, else that of its first step that has one. */
function timeOf(generation: Message, chat: Message, times: ReadonlyMap<number, number>): number {
  const start = messageIn(chat, 9);
  const steps = countsIn(generation, 2).map((step) => times.get(step) ?? NaN);
  const own = start === null ? NaN : timeIn(start, 4);
  return [own, ...steps].find((time) => !Number.isNaN(time)) ?? NaN;
}

/** A time in milliseconds since the epoch; NaN if it is missing or invalid. */
function timeIn(message: Message, field: number): number {
  const time = messageIn(message, field);
  return time === null ? NaN : instantOf(countIn(time, 1) * 1000 + countIn(time, 2) / 1_000_000);
}

/** The four token types; null if a count is invalid. */
function pillarsOf(usage: Message): Pillars | null {
  const pillars = {
    input: countIn(usage, 2),
    output: countIn(usage, 3),
    cache_write: countIn(usage, 4),
    cache_read: countIn(usage, 5),
  };
  return arePossible(pillars) ? pillars : null;
}

function merge(files: readonly AntigravityUsage[]): LoggedResponse[] {
  return eachOnce(
    files.flatMap(({ responses }) => responses),
    ({ id }) => id,
  );
}
