/** The program of an installed status line, which is saved in the state folder. */
import { join } from 'node:path';
import { versionIn } from '#core/domain/text/program-version.ts';
import { EXIT, Failure, orNull } from '../failure.ts';
import { type Environment, stateFolder } from '../settings.ts';
import { readText, removeWhole, writeProgram } from '../state/atomic-file.ts';
import { VERSION, isOlder } from '../version.ts';

/** The built program, which the build writes in. */
declare const OPBENCH_STATUSLINE: string | undefined;

export function statusLineFile(environment: Environment): string {
  return join(stateFolder(environment), 'statusline.mjs');
}

/** @throws {Failure} if it cannot be written, or the running program is not a built one. */
export function saveStatusLine(environment: Environment): void {
  const program = typeof OPBENCH_STATUSLINE === 'string' ? OPBENCH_STATUSLINE : null;
  if (program === null) {
    const hint = 'Download /opbench.mjs from your board, and run that file.';
    throw new Failure(EXIT.usage, 'This is not the built program, so it has no status line', hint);
  }
  writeProgram(statusLineFile(environment), Buffer.from(program));
}

/** Replaces a saved program by a newer one. Errors are ignored, because the older one still works. */
export function renewStatusLine(environment: Environment): void {
  orNull(() => {
    const saved = readText(statusLineFile(environment));
    if (saved !== null && isOlder(versionIn(saved) ?? '', VERSION)) saveStatusLine(environment);
  });
}

export function removeStatusLine(environment: Environment): void {
  removeWhole(statusLineFile(environment));
}
