/** Programs of the system that this command asks: the user's systemd, cron. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import type { Environment } from '../settings.ts';

const TIMEOUT_MS = 20_000;

export interface Ended {
  /** Null if it was killed. */
  status: number | null;
  stdout: Buffer;
  /** What it complains of, in one line. */
  complaint: string;
}

/** Runs a program to its end; null if there is none of that name. */
export function runProgram(
  environment: Environment,
  [name = '', ...args]: readonly string[],
  input: Buffer | null = null,
): Ended | null {
  const ended = spawnSync(name, args, {
    // Messages are compared.
    env: { ...environment, LC_ALL: 'C' },
    ...(input && { input }),
    stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  });
  if (isAbsent(ended.error)) return null;
  // What did not start has no streams, whatever its type says.
  const stdout = (ended.stdout as Buffer | null) ?? Buffer.alloc(0);
  return { status: ended.status, stdout, complaint: complaintOf(ended) };
}

function isAbsent(error: NodeJS.ErrnoException | undefined): boolean {
  return error?.code === 'ENOENT' || error?.code === 'EACCES';
}

function complaintOf({ stderr, status, error }: SpawnSyncReturns<Buffer>): string {
  const words = String((stderr as Buffer | null) ?? '').trim();
  if (words !== '') return words.replaceAll(/\s+/g, ' ');
  return error?.message ?? `it ended with ${status}`;
}
