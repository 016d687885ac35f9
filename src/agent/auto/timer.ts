import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import type { Environment } from '../settings.ts';

export interface Job {
  node: string;
  file: string;
  variables: Readonly<Record<string, string>>;
}

/** What makes the system run a job every 6 hours. */
export interface Timer {
  readonly name: 'systemd' | 'cron';
  isUsable(environment: Environment): boolean;
  /** Whether a timer of ours is set there; throws if that cannot be told. */
  isSet(environment: Environment): boolean;
  /** Whether the system heeds what is set; null where it does not tell. */
  isHeeded(environment: Environment): boolean | null;
  /**
   * Sets ours, or sets it anew.
   *
   * @param spread Spreads devices over the hours: a whole number.
   * @throws {Failure} if it cannot; then nothing is set.
   */
  set(environment: Environment, job: Job, spread: number): void;
  /** Takes ours away; false if there was none. Throws if that cannot be told. */
  unset(environment: Environment): boolean;
}

export const EVERY_HOURS = 6;

const TIMEOUT_MS = 20_000;

export interface Ended {
  /** Null if it was killed. */
  status: number | null;
  stdout: Buffer;
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
