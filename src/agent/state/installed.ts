/** The copy of this program that stays where it is, whatever the one that runs came from. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { versionIn } from '#core/schema/release.ts';
import { EXIT, Failure } from '../failure.ts';
import type { Place } from '../device.ts';
import { installedFile } from './copy.ts';
import { readText, writeProgram } from './atomic-file.ts';
import type { Environment } from '../settings.ts';
import { VERSION, isOlder } from '../version.ts';

/** The version of the copy; null if there is none, or it does not tell. */
export function installedVersion(environment: Environment): string | null {
  const text = readText(installedFile(environment));
  return text === null ? null : versionIn(text);
}

/**
 * Keeps a copy of the program that is running, unless the copy is it, equals it or is newer.
 *
 * @returns Where the copy is.
 * @throws {Failure} if it cannot be written, or there is nothing that could be kept.
 */
export function keepProgram({ environment, file }: Pick<Place, 'environment' | 'file'>): string {
  const program = builtProgram(file);
  const path = installedFile(environment);
  const kept = readText(path);
  if (program === null) {
    if (kept !== null) return path;
    const hint = `Put the /opbench.mjs of your board into ${dirname(path)}, or run this from it.`;
    throw new Failure(EXIT.usage, 'This is not the built program; only that can be kept', hint);
  }
  const isKept = kept === program.toString('utf8') || isOlder(VERSION, versionIn(kept ?? ''));
  if (!isKept) writeProgram(path, program);
  return path;
}

/** The bytes of the file if it is the built one, which needs nothing beside it; null if it is not. */
function builtProgram(file: string): Buffer | null {
  try {
    const bytes = readFileSync(file);
    return versionIn(bytes.toString('utf8')) === null ? null : bytes;
  } catch (error) {
    throw new Failure(EXIT.usage, `${file} cannot be read: ${(error as Error).message}`);
  }
}
