/** The saved copy of this program and how to run it. Every start loads this module, so it must stay small. */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND_WORDS } from '../command-names.ts';
import type { Place } from '../device.ts';
import { type Environment, homeFolder, stateFolder } from '../settings.ts';

/** The path of the saved copy, which timers and MCP clients run. */
export function installedFile(environment: Environment): string {
  return join(stateFolder(environment), 'opbench.mjs');
}

export function installedCommand(environment: Environment): string {
  const path = installedFile(environment);
  const home = homeFolder(environment);
  const isPlain = /^[\w./~-]+$/.test(path);
  if (!isPlain) return `node "${path}"`;
  return path.startsWith(`${home}/`) ? `node ~${path.slice(home.length)}` : `node ${path}`;
}

/** The line for a shell's profile with which `opbench` alone runs a command. On Windows, the shell is PowerShell. */
export function aliasOf(command: string, platform = process.platform): string {
  if (platform === 'win32') return `function opbench { ${command} @args }`;
  return `alias opbench='${command}'`;
}

/** Whether the command of the board's installation script runs, so that `opbench` can be typed. */
export function isOnPath(environment: Environment): boolean {
  return environment['OPBENCH_ON_PATH'] === 'yes';
}

const TYPED = new RegExp(`(?<![\\w./-])opbench(?= ${COMMAND_WORDS})`, 'g');

/** Replaces `opbench` in commands by how it must be typed. If the saved copy runs, `opbench` is not on the PATH. */
export function asTyped(
  { environment, file }: Pick<Place, 'environment' | 'file'>,
  text: string,
): string {
  if (text.search(TYPED) < 0 || !isCopy(environment, file)) return text;
  const command = installedCommand(environment);
  return text.replaceAll(TYPED, () => command);
}

function isCopy(environment: Environment, file: string): boolean {
  if (isOnPath(environment)) return false;
  try {
    const path = installedFile(environment);
    return path === file || realpathSync(path) === file;
  } catch {
    return false;
  }
}
