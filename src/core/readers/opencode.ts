/**
 * OpenCode: one JSON object for each message, in a database row or, in older versions, in a file. A message exists several
 * times if it was migrated to a database or a newer table, and with other IDs if its session was forked.
 *
 * @module
 */
import type { LoggedResponse, Pillars, UsageEvent } from '../schema/usage.ts';
import { totalOf } from '../domain/counting/bucket.ts';
import type { Fields } from './shared/fields.ts';
import { arePossible, countOf, countOrZero, fieldsOf } from './shared/fields.ts';
import { idOf, instantOf, labelOf } from './shared/fields.ts';
import type { FileReader, FileUsage, Reader, SkipReason } from './shared/reader.ts';
import { contentOf, keepFullest, loggedAs, openLines, responseOf } from './shared/responses.ts';

/** The usage in one database or message file. */
interface OpenCodeUsage extends FileUsage {
  responses: OpenCodeResponse[];
}

interface OpenCodeResponse extends UsageEvent {
  /** The message ID; empty if it has none. */
  id: string;
  /** When it was completed, in milliseconds since the epoch; null if it is not. */
  completedMs: number | null;
}

/** Reader of OpenCode's databases and message files. */
export const openCode: Reader<OpenCodeUsage> = {
  tool: 'opencode',
  rules: 1,
  needles: ['"tokens"'],
  tables: [
    { name: 'message', id: 'id', data: 'data' },
    { name: 'session_message', id: 'id', data: 'data' },
  ],
  open,
  merge,
};

function open(path: string, before?: OpenCodeUsage): FileReader<OpenCodeUsage> {
  const responses = new Map(before?.responses.map((response) => [keyOf(response), response]));
  return openLines(path, before, {
    read(fields, skip) {
      const read = readMessage(fields);
      if (typeof read === 'string') skip(read);
      else if (read !== null && totalOf(read) > 0) keepFullest(responses, keyOf(read), read);
    },
    said: () => ({ responses: [...responses.values()] }),
  });
}

/** Reads a message; null if it is not a response. */
function readMessage(message: Fields): OpenCodeResponse | SkipReason | null {
  const { role = 'assistant', tokens = null, time } = message;
  if (role !== 'assistant' || tokens === null) return null;
  const { created, completed } = fieldsOf(time) ?? {};
  const counts = fieldsOf(tokens);
  const pillars = counts && pillarsOf(counts);
  const timestampMs = instantOf(created);
  const read = responseOf({ id: idOf(message.id), timestampMs, ...sourceOf(message), pillars });
  return typeof read === 'string' ? read : { ...read, completedMs: instantOf(completed) || null };
}

/** Provider and model, which newer tables have in one object. */
function sourceOf(message: Fields): { provider: string | null; model: string | null } {
  const model = fieldsOf(message.model);
  return {
    provider: labelOf(message.providerID ?? model?.providerID),
    model: labelOf(message.modelID ?? model?.id ?? model?.modelID),
  };
}

/** The four token types; null if a count is invalid. */
function pillarsOf(tokens: Fields): Pillars | null {
  const cache = fieldsOf(tokens.cache);
  const told = {
    input: countOrZero(tokens.input),
    output: countOrZero(tokens.output),
    cache_write: countOf(cache?.write),
    cache_read: countOf(cache?.read),
  };
  const reasoning = countOrZero(tokens.reasoning);
  // Output does not include reasoning, unless the total shows that it does, as in older versions.
  const isWithin = countOf(tokens.total) === totalOf(told);
  const pillars = { ...told, output: told.output + (isWithin ? 0 : reasoning) };
  return arePossible(told) && arePossible(pillars) ? pillars : null;
}

function keyOf(response: OpenCodeResponse): string {
  return response.id || `\n${instanceOf(response)}`;
}

/** The parts that a fork does not change: times and counts. */
function instanceOf(response: OpenCodeResponse): string {
  return `${response.timestampMs} ${response.completedMs} ${contentOf(response)}`;
}

/** Of copies by forks, the one with the smallest ID counts, because IDs increase with time. */
function merge(files: readonly OpenCodeUsage[]): LoggedResponse[] {
  const byKey = new Map<string, OpenCodeResponse>();
  for (const { responses } of files) {
    for (const response of responses) keepFullest(byKey, keyOf(response), response);
  }
  const instances = new Map<string, LoggedResponse>();
  for (const [key, response] of byKey) {
    const instance = instanceOf(response);
    const rival = instances.get(instance);
    if (rival === undefined || key < rival.key) instances.set(instance, loggedAs(key, response));
  }
  return [...instances.values()];
}
