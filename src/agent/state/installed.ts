/** Saves a copy of the running program, which may be in a temporary folder. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { versionIn } from '#core/domain/text/program-version.ts';
import { EXIT, Failure } from '../failure.ts';
import type { Place } from '../device.ts';
import { installedFile } from './copy.ts';
import { readText, writeProgram } from './atomic-file.ts';
import type { Environment } from '../settings.ts';
import { VERSION, isOlder } from '../version.ts';

/** The version of the saved copy; null if there is none, or it has no version. */
export function installedVersion(environment: Environment): string | null {
  const text = readText(installedFile(environment));
  return text === null ? null : versionIn(text);
}

/**
 * Saves a copy of the running program, unless the copy is equal or newer.
 *
 * @returns The path of the copy.
 * @throws {Failure} if it cannot be written, or the running program is not a built one.
 */
export function keepProgram({ environment, file }: Pick<Place, 'environment' | 'file'>): string {
  const program = builtProgram(file);
  const path = installedFile(environment);
  const kept = readText(path);
  if (program === null) {
    if (kept !== null) return path;
    const hint = `Download /opbench.mjs from your board into ${dirname(path)}, and run that file.`;
    throw new Failure(EXIT.usage, 'This is not the built program, so it cannot be copied', hint);
  }
  const isKept = kept === program.toString('utf8') || isOlder(VERSION, versionIn(kept ?? ''));
  if (!isKept) writeProgram(path, program);
  return path;
}

/** The bytes of the file if it is the built program, which needs no other files; else null. */
function builtProgram(file: string): Buffer | null {
  try {
    const bytes = readFileSync(file);
    return versionIn(bytes.toString('utf8')) === null ? null : bytes;
  } catch (error) {
    throw new Failure(EXIT.usage, `${file} cannot be read: ${(error as Error).message}`);
  }
}
