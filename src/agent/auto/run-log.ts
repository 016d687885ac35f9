/** What the runs of the timer came to: a line of JSON a run, oldest first. */
import { join } from 'node:path';
import { readJsonLines, readText, writePrivate } from '../state/atomic-file.ts';
import { Run } from '../device-reports.ts';
import { type Environment, stateFolder } from '../settings.ts';

/** How many lines are kept: four months of runs. */
const KEPT_LINES = 500;

export function runLogPath(environment: Environment): string {
  return join(stateFolder(environment), 'auto.ndjson');
}

export function logRun(environment: Environment, run: Run): void {
  const path = runLogPath(environment);
  const lines = [...linesIn(path), JSON.stringify(run)].slice(-KEPT_LINES);
  writePrivate(path, `${lines.join('\n')}\n`);
}

/** The runs that were logged, oldest first; a line that cannot be read is left out. */
export function loggedRuns(environment: Environment): Run[] {
  return readJsonLines(runLogPath(environment), Run);
}

function linesIn(path: string): string[] {
  return (readText(path) ?? '').split('\n').filter((line) => line !== '');
}
