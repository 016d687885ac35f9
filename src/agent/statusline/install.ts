/** `opbench statusline install`: adds the status line to the settings of assistants, and restores what was there. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { plain } from '#core/domain/text/terminal-text.ts';
import type { AgentOutput } from '../command.ts';
import { ask, sayer } from '../consent.ts';
import type { Place } from '../device.ts';
import { EXIT, Failure, orNull } from '../failure.ts';
import { type Environment, stateFolder } from '../settings.ts';
import { readJson, writePrivate } from '../state/atomic-file.ts';
import { removeStatusLine, saveStatusLine, statusLineFile } from './program.ts';
import { type SettingsFile, readSettings, valueAt, writeValue } from './settings-file.ts';
import { TARGETS, type Target, targetNamed } from './targets.ts';

interface InstallOptions {
  /** Undefined for all assistants of this user. */
  tool: string | undefined;
  undo: boolean;
  isDry: boolean;
  force: boolean;
  yes: boolean;
}

interface Outcome {
  tool: string;
  file: string;
  changed: boolean;
}

interface Step {
  place: Place;
  target: Target;
  asked: InstallOptions;
  output: AgentOutput;
}

/** @throws {Failure} on an error. Changes made before it stay and were printed. */
export async function installStatusLine(
  place: Place,
  asked: InstallOptions,
  output: AgentOutput,
): Promise<void> {
  const targets =
    asked.tool === undefined ? presentTargets(place.environment) : [targetNamed(asked.tool)];
  const files: Outcome[] = [];
  for (const target of targets) {
    const changed = await (asked.undo ? remove : add)({ place, target, asked, output });
    files.push({ tool: target.tool, file: target.file(place.environment), changed });
  }
  if (asked.undo && !asked.isDry && !isUsed(place.environment)) removeStatusLine(place.environment);
  output.result({ files });
}

/** Whether the settings of an assistant still run the saved program. Unreadable settings may. */
function isUsed(environment: Environment): boolean {
  return TARGETS.some(({ file, path }) => {
    const read = orNull(() => readSettings(file(environment)));
    return read === null || isOurs(valueAt(read.settings, path), environment);
  });
}

/** The assistants whose settings folder exists. */
function presentTargets(environment: Environment): Target[] {
  const present = TARGETS.filter(({ file }) => existsSync(dirname(file(environment))));
  if (present.length > 0) return present;
  const names = TARGETS.map(({ tool }) => tool).join(' or ');
  const hint = `Name one: opbench statusline install --tool ${names}`;
  throw new Failure(EXIT.usage, 'No assistant with a status line was found', hint);
}

/** Returns whether the file was changed. */
async function add({ place, target, asked, output }: Step): Promise<boolean> {
  const { environment } = place;
  const settings = readSettings(target.file(environment));
  const before = valueAt(settings.settings, target.path);
  const after = { type: 'command', command: commandFor(environment) };
  const say = sayer(output);
  if (isDeepStrictEqual(before, after)) {
    say(`${target.title}: the status line is already in ${settings.path}`);
    return false;
  }
  if (before !== undefined && !isOurs(before, environment) && !asked.force) {
    const message = `${settings.path} already has a status line: ${shown(before)}`;
    throw new Failure(
      EXIT.usage,
      message,
      'Nothing was changed. To replace it, add --force. uninstall restores it.',
    );
  }
  tellChange(say, target, settings, [before, after]);
  if (asked.isDry) return false;
  if (!asked.yes) await ask('Change this file?');
  saveStatusLine(environment);
  if (!isOurs(before, environment)) keepBefore(environment, target, before);
  writeValue(settings, target.path, after);
  output.note(`Added. To undo: opbench statusline uninstall --tool ${target.tool}`);
  return true;
}

/** Returns whether the file was changed. */
async function remove({ place: { environment }, target, asked, output }: Step): Promise<boolean> {
  const settings = readSettings(target.file(environment));
  const now = valueAt(settings.settings, target.path);
  const say = sayer(output);
  if (!isOurs(now, environment)) {
    say(`${target.title}: ${settings.path} has no status line from opbench`);
    return false;
  }
  const before = beforeOf(environment, target);
  tellChange(say, target, settings, [now, before]);
  if (asked.isDry) return false;
  if (!asked.yes) await ask('Change this file?');
  writeValue(settings, target.path, before);
  keepBefore(environment, target, undefined);
  output.note(before === undefined ? 'Removed.' : 'Restored the earlier status line.');
  return true;
}

/** The preview: the lines that leave and enter the file. */
function tellChange(
  say: (text: string) => void,
  { title, path }: Target,
  { path: file }: SettingsFile,
  [before, after]: readonly [unknown, unknown],
): void {
  const line = (sign: string, value: unknown) => `  ${sign} "${path.join('.')}": ${shown(value)}`;
  const lines = [
    ...(before === undefined ? [] : [line('-', before)]),
    ...(after === undefined ? [] : [line('+', after)]),
  ];
  say([`${title}: ${file}`, ...lines].join('\n'));
}

function shown(value: unknown): string {
  return plain(JSON.stringify(value));
}

/** The command of the status line. The program finds the saved counts in its own folder, so it needs no variables. */
export function commandFor(environment: Environment, platform = process.platform): string {
  const words = [process.execPath, statusLineFile(environment)];
  return words.map((word) => quoted(word, platform)).join(' ');
}

/** Quotes a word for a POSIX shell, or on Windows for any. */
function quoted(word: string, platform: typeof process.platform): string {
  if (platform === 'win32') return `"${word}"`;
  return /^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Whether a status line runs the saved program, with any Node.js. */
function isOurs(value: unknown, environment: Environment): boolean {
  const { command } = (value ?? {}) as { command?: unknown };
  const end = ` ${quoted(statusLineFile(environment), process.platform)}`;
  return typeof command === 'string' && command.endsWith(end);
}

/** The status lines that were replaced, by tool. */
const Before = z.record(z.string(), z.unknown());

function beforePath(environment: Environment): string {
  return join(stateFolder(environment), 'statuslines.json');
}

function beforeOf(environment: Environment, { tool }: Target): unknown {
  const kept = readJson(beforePath(environment), Before) ?? {};
  return Object.hasOwn(kept, tool) ? kept[tool] : undefined;
}

/** Saves what was there before; undefined if there was nothing. */
function keepBefore(environment: Environment, { tool }: Target, before: unknown): void {
  const kept = readJson(beforePath(environment), Before) ?? {};
  if (before === undefined) Reflect.deleteProperty(kept, tool);
  else kept[tool] = before;
  writePrivate(beforePath(environment), JSON.stringify(kept));
}
