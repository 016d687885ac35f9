/** The settings file of an assistant. Everything else in it stays as it is. */
import { EXIT, Failure } from '../failure.ts';
import { readText, realPath, writeForeign } from '../state/atomic-file.ts';

type Settings = Record<string, unknown>;

export interface SettingsFile {
  path: string;
  /** The file's text; null if there is no file. */
  text: string | null;
  settings: Settings;
}

/**
 * Reads a settings file. Without a file, the settings are empty.
 *
 * @throws {Failure} `usage` if it cannot be read, or is not a JSON object.
 */
export function readSettings(path: string): SettingsFile {
  const text = readText(path);
  const value = text === null || text.trim() === '' ? {} : parsed(path, text);
  if (!isSettings(value)) throw invalid(path, 'it is not a JSON object');
  return { path, text, settings: value };
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch (error) {
    throw invalid(path, (error as Error).message);
  }
}

function invalid(path: string, why: string): Failure {
  const hint = 'Nothing was changed. Correct the file, or edit it yourself.';
  return new Failure(EXIT.usage, `${path} is not valid JSON: ${why}`, hint);
}

function isSettings(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of members; undefined if there is none. */
export function valueAt(settings: Settings, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => {
    return isSettings(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }, settings);
}

/**
 * Writes a settings file with another value at a path; undefined removes it. Keeps the indentation. A link is followed.
 *
 * @throws {Failure} `usage` if a member on the path is not an object, or if it cannot be written.
 */
export function writeValue(
  { path: file, text, settings }: SettingsFile,
  path: readonly string[],
  value: unknown,
): void {
  const changed = structuredClone(settings);
  const [name = '', ...parents] = [...path].reverse();
  const parent = parents.reverse().reduce((inner, member) => {
    const next = (inner[member] ??= {});
    if (!isSettings(next)) throw invalid(file, `"${member}" is not an object`);
    return next;
  }, changed);
  if (value === undefined) Reflect.deleteProperty(parent, name);
  else parent[name] = value;
  const indent = /^[ \t]+/m.exec(text ?? '')?.[0] ?? '  ';
  const end = text === null || text.endsWith('\n') ? '\n' : '';
  writeForeign(realPath(file), `${JSON.stringify(changed, null, indent)}${end}`);
}
