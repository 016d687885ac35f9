/** Reads a file with settings, as Node's own `--env-file` does. */
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual, parseEnv } from 'node:util';
import { ConfigError } from './config-error.ts';

const NAME = /^[A-Za-z_]\w*$/;
const FORM = 'Write NAME="value" on each line';

/**
 * The variables in a file.
 *
 * @throws {ConfigError} if it cannot be read, or a line in it is not a setting. The message names the file.
 */
export function readEnvFile(path: string): Record<string, string> {
  const text = textOf(path);
  const values = parseEnv(text) as Record<string, string>;
  const unfit = Object.keys(values).find((name) => !NAME.test(name));
  if (unfit !== undefined) {
    throw new ConfigError(`${path} contains the invalid name "${unfit}". ${FORM}`);
  }
  const line = idleLine(text, values);
  if (line !== null) throw new ConfigError(`line ${line} of ${path} is not a setting. ${FORM}`);
  return values;
}

function textOf(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) throw new ConfigError(`${path} does not exist`);
    if (!found.isFile()) throw new ConfigError(`${path} is not a file`);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof TypeError) throw new ConfigError(`${path} is not a text file`);
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || error instanceof ConfigError) throw error;
    throw new ConfigError(`${path} cannot be read (${code})`);
  }
}

/**
 * The number of the first line that the parser skips although it is not a comment, such as one without `=`; null if
 * there is none. A line of a quoted value that spans several lines is not skipped.
 */
function idleLine(text: string, values: object): number | null {
  const lines = text.split(/\r?\n/);
  const at = lines.findIndex((line, index) => {
    if (line.includes('=') || /^\s*(?:#|$)/.test(line)) return false;
    return isDeepStrictEqual(parseEnv(lines.toSpliced(index, 1).join('\n')), values);
  });
  return at < 0 ? null : at + 1;
}

/** The absolute path of the file in Node's own options (`process.execArgv`); null if there is none. */
export function envFileOfNode(options: readonly string[]): string | null {
  const at = options.findLastIndex((word) => /^--env-file(?:-if-exists)?(?:=|$)/.test(word));
  const word = options[at];
  if (word === undefined) return null;
  const path = word.includes('=') ? word.replace(/^[^=]*=/, '') : options[at + 1];
  return path === undefined ? null : resolve(path);
}
