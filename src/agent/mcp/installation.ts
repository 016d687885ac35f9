/** Puts the entry of this server into the configuration of a client, and takes it out again. */
import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Place } from '../device.ts';
import { EXIT, Failure } from '../failure.ts';
import { readExactText, realPath, removeWhole, writePrivate, writeWhole } from '../kept/files.ts';
import { installedFile } from '../kept/copy.ts';
import { type Environment, stateFolder } from '../settings.ts';
import { checkedEdit, isConfig, plainOf } from './checked-edit.ts';
import { type McpClient, serverEntry } from './clients.ts';
import type { Config, ServerEntry } from './config-format.ts';
import { type Added, addedOf, forgetAdded, keepAdded } from './added.ts';

/** The mode of a configuration that is made anew: it may come to hold keys of others. */
const NEW_MODE = 0o600;

/** What would become of a client's configuration. */
export interface Plan {
  client: McpClient;
  /** The file itself, behind any link to it. */
  file: string;
  /** Its text; null if there is none. */
  before: string | null;
  /** Null if nothing would be left of what we made. */
  after: string | null;
  /** The entry that goes and the one that comes, as far as people are shown them. */
  gone: ServerEntry | null;
  come: ServerEntry | null;
  /** Whether somebody else wrote the one that goes. */
  isForeign: boolean;
  added: Added | null;
}

/**
 * What the configuration would be with the entry in it.
 *
 * @throws {Failure} if the file cannot be understood, or changed without touching anything else.
 */
export function planInstall(client: McpClient, environment: Environment): Plan {
  const { file, before } = readConfig(client, environment);
  const { format, place } = client;
  const text = before ?? '';
  const entry = client.entry(serverEntry(environment));
  const found = entryIn(client, file, text);
  const known = knownOf(client, file, environment);
  const plan = { client, file, before, gone: shownOf(found), come: entry, isForeign: false };
  const edited = (wanted: unknown, edit: () => string) => {
    return checkedEdit(client, { file, before: text, entry: wanted, shown: entry }, edit);
  };
  if (found === undefined) {
    const after = edited(entry, () => format.add(text, place, entry));
    const inserted = insertedInto(text, after);
    return {
      ...plan,
      after,
      added: { file, inserted, made_file: before === null, replaced: null },
    };
  }
  if (!isOurs(found, environment)) {
    const after = edited(entry, () => format.replace(text, place, entry));
    const replaced = { text: format.take(text, place), value: plainOf(found) };
    const added = { file, inserted: null, made_file: false, replaced };
    return { ...plan, after, isForeign: true, added };
  }
  const merged = { ...found, ...entry };
  if (isDeepStrictEqual(plainOf(found), merged)) return { ...plan, after: before, added: known };
  const after = edited(merged, () => format.update(text, place, merged));
  const kept = known ?? { file, made_file: false, replaced: null };
  return { ...plan, after, added: { ...kept, inserted: null } };
}

/**
 * What the configuration would be without the entry, or with the one whose place it took.
 *
 * @throws {Failure} if the entry is of another hand, or the file cannot be understood.
 */
export function planRemoval(client: McpClient, environment: Environment): Plan {
  const { file, before } = readConfig(client, environment);
  const known = knownOf(client, file, environment);
  const found = before === null ? undefined : entryIn(client, file, before);
  const replaced = replacedIn(known);
  const [gone, come] = [shownOf(found), shownOf(replaced)];
  const plan = { client, file, before, gone, come, isForeign: false, added: null };
  if (before === null || found === undefined) return { ...plan, after: before };
  if (!isOurs(found, environment)) {
    const message = `The entry "${client.place.name}" in ${file} was not written by opbench`;
    throw new Failure(EXIT.usage, message, 'Nothing was changed.');
  }
  const change = { file, before, entry: replaced, shown: null };
  const after = checkedEdit(client, change, () => without(client, before, known));
  const isEmpty = Object.keys(client.format.parse(after)).length === 0;
  return { ...plan, after: known?.made_file && isEmpty ? null : after };
}

/**
 * Makes the plan of an installation true, unless the file changed since.
 *
 * @returns Where the file is kept as it was before the first one; null if there was none.
 * @throws {Failure} if it changed, or cannot be written; then it is as it was.
 */
export function carryOut({ environment }: Place, plan: Plan): string | null {
  const { client, file, before, added } = plan;
  refuseChanged(plan);
  const backup = backupOf(client, environment);
  const isFirst = knownOf(client, file, environment) === null;
  // Its bytes: what was read would not have been UTF-8 otherwise.
  if (isFirst && before !== null) writePrivate(backup, before);
  write(plan);
  if (added) keepAdded(environment, client.name, added);
  return existsSync(backup) ? backup : null;
}

/**
 * Makes the plan of a removal true, unless the file changed since, and forgets what was kept for it.
 *
 * @returns Null: no copy of the file is kept any more.
 * @throws {Failure} if it changed, or cannot be written; then it is as it was.
 */
export function carryOutRemoval({ environment }: Place, plan: Plan): null {
  refuseChanged(plan);
  if (plan.after !== plan.before) write(plan);
  const { client, file } = plan;
  const added = addedOf(environment, client.name);
  if (added !== null && added.file !== file) return null;
  forgetAdded(environment, client.name);
  removeWhole(backupOf(client, environment));
  return null;
}

/** The entry that is put back; null if none was there. */
function replacedIn(added: Added | null): unknown {
  return added?.replaced?.value ?? null;
}

function refuseChanged({ file, before }: Plan): void {
  if (readExactText(file) === before) return;
  throw new Failure(EXIT.usage, `${file} changed in the meantime`, 'Run it again.');
}

function write({ file, before, after }: Plan): void {
  if (after === null) rmSync(file);
  else writeWhole(file, after, before === null ? NEW_MODE : statSync(file).mode & 0o777);
}

function backupOf({ name }: McpClient, environment: Environment): string {
  return join(stateFolder(environment), 'backups', name);
}

/** What was put into this file; another one, of an environment that changed, does not count. */
function knownOf({ name }: McpClient, file: string, environment: Environment): Added | null {
  const added = addedOf(environment, name);
  return added?.file === file ? added : null;
}

/** What people are shown of an entry: its other members may be secrets. */
function shownOf(found: unknown): ServerEntry | null {
  if (!isConfig(found)) return null;
  const { command, args } = found;
  return {
    command: typeof command === 'string' ? command : '',
    args: Array.isArray(args) ? args.map(String) : [],
  };
}

function readConfig(client: McpClient, environment: Environment) {
  const named = client.file(environment);
  const file = realPath(named);
  return { file, before: readExactText(file) };
}

/** @throws {Failure} if the text is not what the client could read. */
function parsed({ title, format }: McpClient, file: string, text: string): Config {
  try {
    return format.parse(text);
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n');
    const message = `${file} cannot be understood: ${reason}`;
    throw new Failure(EXIT.usage, message, `It was left as it is. Correct it, or ask ${title}.`);
  }
}

function entryIn(client: McpClient, file: string, text: string): unknown {
  const { holder, name } = client.place;
  const servers = parsed(client, file, text)[holder];
  if (servers === undefined) return undefined;
  if (isConfig(servers)) return Object.hasOwn(servers, name) ? servers[name] : undefined;
  throw new Failure(
    EXIT.usage,
    `"${holder}" in ${file} is no list of servers`,
    'Correct it first.',
  );
}

/** Ours runs the copy of this program; the Node that runs it may have been another. */
function isOurs(found: unknown, environment: Environment): found is ServerEntry {
  const args: unknown = isConfig(found) ? found['args'] : null;
  return isDeepStrictEqual(args, [installedFile(environment), 'mcp']);
}

/** What was put in is taken out byte for byte, if it still stands there as it was put in. */
function without({ format, place }: McpClient, text: string, added: Added | null): string {
  if (added?.replaced) return format.put(text, place, added.replaced.text);
  const inserted = added?.inserted ?? '';
  const parts = inserted === '' ? [] : text.split(inserted);
  if (parts.length === 2) return parts.join('');
  return format.remove(text, place);
}

/** The text that stands in one and not in the other. */
function insertedInto(before: string, after: string): string | null {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  const length = after.length - before.length;
  const rest = before.slice(start);
  return after.slice(start + length) === rest ? after.slice(start, start + length) : null;
}
