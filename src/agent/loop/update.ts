/** Replaces the saved copy of the program with the one that a board serves. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { readBoardUrl } from '../board/address.ts';
import type { LocalDevice } from '../device.ts';
import { EXIT, Failure } from '../failure.ts';
import { readText, writeProgram } from '../state/atomic-file.ts';
import { installedFile } from '../state/copy.ts';
import { installedVersion } from '../state/installed.ts';
import { type ReleaseAnswer, askRelease, fetchProgram } from '../board/release.ts';
import { isOlder } from '../version.ts';

/** How long the new program may take to print its version, in milliseconds. */
const TIMEOUT_MS = 20_000;

export interface Update {
  board: string;
  /** The saved copy, and its version before; null if there was none. */
  file: string;
  from: string | null;
  to: string;
  integrity: string;
  /** False if the file is already the same. */
  updated: boolean;
}

/**
 * Updates from the first board that answers.
 *
 * @param boards Addresses, in order of preference.
 * @param allowOlder Whether an older version may replace a newer one.
 * @throws {Failure} if no board answers, or its program is rejected. Nothing is then changed.
 */
export async function update(
  device: LocalDevice,
  boards: readonly string[],
  { allowOlder, tell }: { allowOlder: boolean; tell: (failure: Failure) => void },
): Promise<Update> {
  const { board, release } = await firstAnswer(device, boards, tell);
  const file = installedFile(device.environment);
  const from = installedVersion(device.environment);
  if (!allowOlder && from !== null && isOlder(release.version, from)) {
    const message = `${board} serves opbench ${release.version}, which is older than your ${from}`;
    throw new Failure(EXIT.usage, message, 'To install the older version anyway, add --yes.');
  }
  const program = await fetchProgram(device.client, board, release);
  const result = { board, file, from, to: release.version, integrity: release.file.integrity };
  if (readText(file) === program.toString('utf8')) return { ...result, updated: false };
  refuseBroken(program, file, release);
  writeProgram(file, program);
  return { ...result, updated: true };
}

async function firstAnswer(
  { client }: LocalDevice,
  boards: readonly string[],
  tell: (failure: Failure) => void,
): Promise<{ board: string; release: ReleaseAnswer }> {
  const failures: Failure[] = [];
  for (const board of boards.map(readBoardUrl)) {
    try {
      const release = await askRelease(client, board);
      failures.forEach(tell);
      return { board, release };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failures.push(error);
    }
  }
  const last = failures.pop();
  failures.forEach(tell);
  if (last) throw last;
  const hint = 'Add its address: opbench update --board https://bench.example.org';
  throw new Failure(EXIT.notEnrolled, 'There is no board to update from', hint);
}

/** Runs the program once before it replaces the one that works. */
function refuseBroken(program: Buffer, file: string, { version }: ReleaseAnswer): void {
  const draft = `${file.replace(/\.mjs$/, '')}.${process.pid}.draft.mjs`;
  try {
    writeProgram(draft, program);
    // Without this environment, except for the variable that Windows needs.
    const { SystemRoot } = process.env;
    const { stdout, status } = spawnSync(process.execPath, [draft, '--version'], {
      env: { ...(SystemRoot && { SystemRoot }) },
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
    });
    if (status === 0 && stdout.trim() === version) return;
  } finally {
    rmSync(draft, { force: true });
  }
  const message = `opbench ${version} does not run here with Node.js ${process.version.slice(1)}`;
  throw new Failure(EXIT.refused, message, 'Nothing was changed. A newer Node.js may help.');
}
