/**
 * OpenCode: one JSON object for each message, in a database row or, in older versions, in a file. A message exists several
 * times if it was migrated to a database or a newer table, and with other IDs if its session was forked.
 *
 * @module
 */
import type { LoggedResponse, Pillars, UsageEvent } from '../schema/usage.ts';
import { totalOf } from '../domain/counting/bucket.ts';
import type { Fields } from './shared/fields.ts';
import { arePossible, countOf, countOrZero, fieldsOf, parseFields } from './shared/fields.ts';
import { idOf, instantOf, labelOf } from './shared/fields.ts';
import { type LogPlace, dataFolder, isAbsolutePath, listed, under } from './shared/places.ts';
import type {
  ColumnTable,
  DataTable,
  FileReader,
  FileUsage,
  Mapping,
  Reader,
  SkipReason,
} from './shared/reader.ts';
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

/** What is special about a tool that keeps messages as OpenCode does. */
interface Relative extends Pick<Reader, 'tool' | 'name' | 'variables' | 'places'> {
  /** Whether it copies sessions of other assistants. They count there. */
  imports?: true;
  mapping: Pick<Mapping, 'logs'> & Partial<Mapping>;
}

/** A reader of a tool that keeps messages as OpenCode does. */
export function openCodeReader({ imports, mapping, ...tool }: Relative): Reader<OpenCodeUsage> {
  return {
    ...tool,
    rules: 1,
    needles: ['"tokens"'],
    tables: imports ? [...IMPORTS, ...MESSAGES.map(withSession)] : MESSAGES,
    mapping: { ...mappingOf(tool.name), ...mapping },
    open,
    merge,
  };
}

const MESSAGES: readonly DataTable[] = [
  { name: 'message', id: 'id', data: 'data' },
  { name: 'session_message', id: 'id', data: 'data' },
];

function withSession(table: DataTable): DataTable {
  return { ...table, members: ['session_id'] };
}

/** Tables that list copied messages. They are read first. */
const IMPORTS = ['external_import', 'claude_import'].map((name): ColumnTable => {
  return { name, columns: ['session_id'], optional: ['message_ids'] };
});

function mappingOf(name: string): Omit<Mapping, 'logs'> {
  return {
    input: '`input`: tokens neither read from the cache nor written to it',
    output: '`output` plus `reasoning`, or `output` alone if `total` shows that it includes both',
    cache_write: '`cache.write`',
    cache_read: '`cache.read`',
    unknown: `A cache count that the message does not contain. ${name} writes 0 if a provider reports none.`,
    once: 'A message that moved from a file to a database, or to a newer table, counts once. So do the copies in a fork, which keep the original times.',
    missing: 'Deleted sessions. Databases, if Node.js is older than 22.13. `opbench` reports this.',
  };
}

/**
 * The places of a tool's databases and of the message files of older versions.
 *
 * @param folders The folders of the tool.
 * @param names What the names of its databases begin with.
 * @param database A variable's value: one more database, as a path or as a name in the folders.
 */
export function openCodePlaces(
  folders: readonly string[],
  names: readonly string[],
  database = '',
): LogPlace[] {
  const logs = names.flatMap((name) => [`${name}.db`, `${name}-*.db`]);
  const places = folders.flatMap((path) => [
    { path, logs },
    { path: `${path}/storage/message`, logs: ['**/*.json'] },
  ]);
  return [...places, ...namedDatabases(database, folders)];
}

function namedDatabases(name: string, folders: readonly string[]): LogPlace[] {
  if (name === '' || name === ':memory:') return [];
  if (isAbsolutePath(name)) return [{ path: name }];
  return folders.map((folder) => ({ path: `${folder}/${name}` }));
}

/** Reader of OpenCode's databases and message files. */
export const openCode = openCodeReader({
  tool: 'opencode',
  name: 'OpenCode',
  variables: ['OPENCODE_DATA_DIR', 'OPENCODE_DB', 'XDG_DATA_HOME'],
  places(at) {
    const folders = listed(at, 'OPENCODE_DATA_DIR', under(dataFolder(at), 'opencode'));
    return openCodePlaces(folders, ['opencode'], at.env.OPENCODE_DB);
  },
  mapping: { logs: '`~/.local/share/opencode`' },
});

function open(path: string, before?: OpenCodeUsage): FileReader<OpenCodeUsage> {
  const responses = new Map(before?.responses.map((response) => [keyOf(response), response]));
  const imported = new Imported();
  return openLines(path, before, {
    read(fields, skip) {
      if (imported.takes(fields)) return;
      const read = readMessage(fields);
      if (typeof read === 'string') skip(read);
      else if (read !== null && totalOf(read) > 0) keepFullest(responses, keyOf(read), read);
    },
    said: () => ({ responses: [...responses.values()].filter((one) => !imported.has(one)) }),
  });
}

/** Messages that were copied from other assistants. */
class Imported {
  readonly #messages = new Set<unknown>();
  readonly #sessions = new Set<unknown>();
  /** The copied messages, without their IDs, which a fork changes. */
  readonly #instances = new Set<string>();

  /** Whether these are the fields of a copied message, or of a row that lists some. */
  takes(fields: Fields): boolean {
    if (typeof fields.table === 'string') {
      const ids = listOf(fields.message_ids);
      // Older versions list no messages. The whole session is then a copy.
      if (ids.length === 0) this.#sessions.add(fields.session_id);
      for (const id of ids) this.#messages.add(id);
      return true;
    }
    if (!this.#messages.has(fields.id) && !this.#sessions.has(fields.session_id)) return false;
    const read = readMessage(fields);
    if (read !== null && typeof read !== 'string') this.#instances.add(instanceOf(read));
    return true;
  }

  /** Whether a message is a fork's copy of a copied message. */
  has(response: OpenCodeResponse): boolean {
    return this.#instances.size > 0 && this.#instances.has(instanceOf(response));
  }
}

function listOf(text: unknown): unknown[] {
  const list = typeof text === 'string' ? parseFields(`{"list":${text}}`)?.list : null;
  return Array.isArray(list) ? list : [];
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
