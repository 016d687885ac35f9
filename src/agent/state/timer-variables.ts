/** Variables for a timer that cannot set any. The file is next to the saved program, which finds it there. */
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { type Environment, stateFolder } from '../settings.ts';
import { readJson, writePrivate } from './atomic-file.ts';

const FILE = 'auto-variables.json';

/** @throws {Failure} if the file cannot be written. */
export function keepTimerVariables(
  environment: Environment,
  variables: Readonly<Record<string, string>>,
): void {
  const path = join(stateFolder(environment), FILE);
  writePrivate(path, `${JSON.stringify(variables, null, 2)}\n`);
}

export function dropTimerVariables(environment: Environment): void {
  rmSync(join(stateFolder(environment), FILE), { force: true });
}

/**
 * Adds the variables of the timer to an environment.
 *
 * @param file The running program.
 */
export function withTimerVariables(environment: Environment, file: string): Environment {
  const kept = readJson(join(dirname(file), FILE), z.record(z.string(), z.string()));
  return kept === null ? environment : { ...environment, ...kept };
}
