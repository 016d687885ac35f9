/**
 * The config file: JSON with the names of flags as keys. A variable takes precedence over it, and a flag over both.
 *
 * @module
 */
import { isAbsolute, join, resolve } from 'node:path';
import { readBoardUrl } from './board/address.ts';
import { EXIT, Failure } from './failure.ts';
import { readText, writePrivate } from './state/atomic-file.ts';
import { type Environment, homeFolder, refuseControls, stateFolder } from './settings.ts';

export const CONFIG_KEYS = ['board', 'label', 'exclude-tools', 'exclude-folders'] as const;
export type ConfigKey = (typeof CONFIG_KEYS)[number];

/** Keys with a list of values, which flags and variables separate by commas. */
const LISTS: readonly ConfigKey[] = ['exclude-tools', 'exclude-folders'];

/** A setting, and where it was found. */
export interface Configured {
  key: ConfigKey;
  /** Empty if it is not set. */
  values: readonly string[];
  source: 'environment' | 'file' | null;
  /** What an error about the value begins with. */
  place: string;
}

export function configPath(environment: Environment): string {
  return join(stateFolder(environment), 'config.json');
}

/** The variable that takes precedence over a key of the file. */
export function variableOf(key: ConfigKey): string {
  return `OPBENCH_${key.toUpperCase().replaceAll('-', '_')}`;
}

/** @throws {Failure} `usage` if the file or a variable is wrong. */
export function configured(environment: Environment, key: ConfigKey): Configured {
  const file = readConfig(environment);
  const variable = variableOf(key);
  const text = environment[variable];
  if (text !== undefined) {
    const values = valuesIn(key, text);
    return checked({ key, values, source: 'environment', place: variable }, environment);
  }
  const values = file[key] ?? [];
  return { key, values, source: key in file ? 'file' : null, place: placeIn(environment, key) };
}

/** The board for commands that use one board; undefined if there is no such setting. */
export function defaultBoard(environment: Environment): string | undefined {
  return configured(environment, 'board').values[0];
}

/** The values of a text: one, or a list that is separated by commas. */
export function valuesIn(key: ConfigKey, text: string): string[] {
  const values = LISTS.includes(key) ? text.split(',') : [text];
  return values.map((value) => value.trim()).filter((value) => value !== '');
}

export function isInHome(path: string): boolean {
  return /^~(?=$|[/\\])/.test(path);
}

/** An absolute path from one that may begin with the home folder. */
function folderIn(environment: Environment, path: string): string {
  return resolve(isInHome(path) ? join(homeFolder(environment), path.slice(1)) : path);
}

type Config = Partial<Record<ConfigKey, readonly string[]>>;

/** @throws {Failure} `usage` if the file exists and is wrong. */
export function readConfig(environment: Environment): Config {
  const path = configPath(environment);
  const text = readText(path);
  if (text === null) return {};
  const entries = Object.entries(objectIn(path, text));
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (!isKey(key)) throw unknownKey(path, key);
      const place = placeIn(environment, key);
      const values = textsIn(key, value);
      if (values === null) throw wrong(place, `must be ${formOf(key)}`);
      return [key, checked({ key, values, source: 'file', place }, environment).values];
    }),
  );
}

/** Changes one key of the file. No values remove it. */
export function writeConfig(
  environment: Environment,
  key: ConfigKey,
  values: readonly string[],
): void {
  const path = configPath(environment);
  const config: Config = { ...readConfig(environment), [key]: values };
  const entries = CONFIG_KEYS.flatMap((name) => {
    const kept = config[name];
    return kept?.length ? [[name, LISTS.includes(name) ? kept : kept[0]] as const] : [];
  });
  writePrivate(path, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
}

export function isKey(name: string): name is ConfigKey {
  return (CONFIG_KEYS as readonly string[]).includes(name);
}

/** @throws {Failure} `usage` if a value is wrong. */
export function checked(setting: Configured, environment: Environment): Configured {
  const { key, values, place } = setting;
  for (const value of values) {
    refuseControls(place, value);
    const isFolder = key !== 'exclude-folders' || isAbsolute(value) || isInHome(value);
    if (!isFolder) throw wrong(place, `must be absolute or begin with ~/, not "${value}"`);
  }
  if (key === 'board') return { ...setting, values: values.map((url) => boardIn(place, url)) };
  if (key !== 'exclude-folders') return setting;
  return { ...setting, values: values.map((path) => folderIn(environment, path)) };
}

function boardIn(place: string, text: string): string {
  try {
    return readBoardUrl(text);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(EXIT.usage, `${place}: ${error.message}`, error.hint);
  }
}

function objectIn(path: string, text: string): object {
  try {
    // Some editors on Windows write a byte order mark.
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    throw wrong(path, `is not JSON: ${(error as Error).message}`);
  }
  throw wrong(path, 'must be a JSON object, such as {"label": "laptop"}');
}

function textsIn(key: ConfigKey, value: unknown): string[] | null {
  const values: unknown[] = Array.isArray(value) === LISTS.includes(key) ? [value].flat() : [null];
  const texts = values.filter((one) => typeof one === 'string' && one.trim() !== '');
  return texts.length === values.length ? (texts as string[]) : null;
}

function formOf(key: ConfigKey): string {
  return LISTS.includes(key) ? 'a list of texts, such as ["…"]' : 'a text, such as "…"';
}

function placeIn(environment: Environment, key: ConfigKey): string {
  return `"${key}" in ${configPath(environment)}`;
}

function unknownKey(path: string, key: string): Failure {
  return wrong(path, `has an unknown key "${key}". The keys are ${CONFIG_KEYS.join(', ')}`);
}

function wrong(place: string, what: string): Failure {
  return new Failure(EXIT.usage, `${place} ${what}`, 'Correct the value, or remove it.');
}
