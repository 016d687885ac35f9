/**
 * Tasks as Cline and its relatives keep them: a folder with an array of messages. A message about a request contains its
 * counts as JSON in a text, once the request has ended. The model is mostly in another file of the folder.
 *
 * @module
 */
import type { UsageEvent } from '../../schema/usage.ts';
import { type Fields, arePossible, countOf, countOrZero, fieldsOf } from './fields.ts';
import { instantOf, labelOf, parseFields } from './fields.ts';
import { type LogPlace, type Surroundings, extensionStorage } from './places.ts';
import { type FileUsage, type SkipReason, logFolderOf, logNameOf } from './reader.ts';

/** A request in a task. The input may include the cache. */
export interface TaskRequest extends UsageEvent {
  key: string;
  /** Whether the text describes the request itself, not only its counts. */
  isDescribed: boolean;
}

/** The model of the requests around a time. */
export interface TaskModel {
  atMs: number;
  provider: string;
  model: string;
}

/** The usage in one file of a task. */
export interface TaskUsage extends FileUsage {
  requests: TaskRequest[];
  models: TaskModel[];
}

/** Where extensions of VS Code keep tasks, by their IDs in lower case. */
export function taskPlaces(
  at: Surroundings,
  extensions: readonly string[],
  files: readonly string[],
): LogPlace[] {
  return extensions
    .flatMap((extension) => extensionStorage(at, extension))
    .map((path) => ({ path, logs: files.map((file) => `tasks/*/${file}`) }));
}

/** Reads a message of a task; null if it is not of one of the kinds, or has no counts yet. */
export function readTaskMessage(
  path: string,
  message: Fields,
  kinds: readonly string[],
): TaskRequest | SkipReason | null {
  const { type, say, text } = message;
  if (type !== 'say' || !kinds.includes(String(say)) || typeof text !== 'string') return null;
  const info = parseFields(text);
  if (info === null) return text === '' ? null : 'not_json';
  const hasCounts = (info.tokensIn ?? info.tokensOut ?? null) !== null;
  return hasCounts ? readRequest(path, message, info) : null;
}

function readRequest(path: string, message: Fields, info: Fields): TaskRequest | SkipReason {
  const counts = {
    input: countOrZero(info.tokensIn),
    output: countOrZero(info.tokensOut),
    cache_write: countOf(info.cacheWrites),
    cache_read: countOf(info.cacheReads),
  };
  const names = namesOf(fieldsOf(message.modelInfo));
  const timestampMs = instantOf(message.ts);
  if (!arePossible(counts)) return 'count';
  if (names === null) return 'name';
  if (Number.isNaN(timestampMs)) return 'time';
  const key = `${logNameOf(logFolderOf(path))}\n${timestampMs}\n${String(message.say)}`;
  return { key, timestampMs, ...names, ...counts, isDescribed: 'request' in info };
}

function namesOf(info: Fields | null): Pick<TaskModel, 'provider' | 'model'> | null {
  const provider = labelOf(info?.providerId);
  const model = labelOf(info?.modelId);
  return provider === null || model === null ? null : { provider, model };
}

/** The input without the cache, if it is large enough to include it. */
export function inputWithoutCache({ input, cache_write, cache_read }: TaskRequest): number {
  const cached = (cache_write ?? 0) + (cache_read ?? 0);
  return input >= cached ? input - cached : input;
}

/** The models of tasks, by the folders of their files. */
export function modelsByFolder(files: readonly TaskUsage[]): ReadonlyMap<string, TaskModel[]> {
  const byFolder = new Map<string, TaskModel[]>();
  for (const { path, models } of files) {
    const folder = logFolderOf(path);
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), ...models]);
  }
  for (const models of byFolder.values()) models.sort((a, b) => a.atMs - b.atMs);
  return byFolder;
}
