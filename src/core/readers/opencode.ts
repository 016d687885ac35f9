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
import {
  type LogPlace,
  type Surroundings,
  dataFolder,
  isAbsolutePath,
  listed,
  under,
} from './shared/places.ts';
import type { FileReader, FileUsage, Mapping, Reader, SkipReason } from './shared/reader.ts';
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
type Relative = Pick<Reader, 'tool' | 'name' | 'variables' | 'places'> & {
  /** The default folders of its logs, for the site. */
  logs: string;
};

/** A reader of a tool that keeps messages as OpenCode does. */
export function openCodeReader({ logs, ...tool }: Relative): Reader<OpenCodeUsage> {
  return {
    ...tool,
    rules: 1,
    needles: ['"tokens"'],
    tables: [
      { name: 'message', id: 'id', data: 'data' },
      { name: 'session_message', id: 'id', data: 'data' },
    ],
    mapping: { logs, ...mappingOf(tool.name) },
    open,
    merge,
  };
}

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

/** The places of a tool's databases and of the message files of older versions, in its folder. */
export function openCodePlaces(folder: string, name: string): LogPlace[] {
  return [
    { path: folder, logs: [`${name}.db`, `${name}-*.db`] },
    { path: `${folder}/storage/message`, logs: ['**/*.json'] },
  ];
}

/** Reader of OpenCode's databases and message files. */
export const openCode = openCodeReader({
  tool: 'opencode',
  name: 'OpenCode',
  variables: ['OPENCODE_DATA_DIR', 'OPENCODE_DB', 'XDG_DATA_HOME'],
  places,
  logs: '`~/.local/share/opencode`, also on Windows',
});

function places(at: Surroundings): LogPlace[] {
  const folders = listed(
    at,
    'OPENCODE_DATA_DIR',
    dataFolder(at).flatMap((folder) => under(folder, 'opencode')),
  );
  const databases = namedDatabases(at.env.OPENCODE_DB ?? '', folders);
  return [...folders.flatMap((folder) => openCodePlaces(folder, 'opencode')), ...databases];
}

/** The database in `OPENCODE_DB`, which may be a path or a name in the tool's folder. */
function namedDatabases(name: string, folders: readonly string[]): LogPlace[] {
  if (name === '' || name === ':memory:') return [];
  if (isAbsolutePath(name)) return [{ path: name }];
  return folders.map((folder) => ({ path: `${folder}/${name}` }));
}

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
