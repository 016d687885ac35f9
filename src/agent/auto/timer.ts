import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { EXIT, Failure } from '../failure.ts';
import { readText } from '../state/atomic-file.ts';
import type { Environment } from '../settings.ts';
import type { TimerName } from '../device-reports.ts';

export interface Job {
  node: string;
  file: string;
  variables: Readonly<Record<string, string>>;
}

/** A way to run a job every 6 hours. */
export interface Timer {
  readonly name: TimerName;
  isUsable(environment: Environment): boolean;
  /** Whether our timer is installed. Throws if that is unknown. */
  isSet(environment: Environment): boolean;
  /** Whether the system runs the installed timer. Null if unknown. */
  isHeeded(environment: Environment): boolean | null;
  /**
   * Installs our timer, or replaces it.
   *
   * @param spread A whole number from which the time of day is chosen, so that devices do not all run at once.
   * @throws {Failure} on an error. No timer is then installed.
   */
  set(environment: Environment, job: Job, spread: number): void;
  /** Removes our timer. Returns false if there was none. Throws if that is unknown. */
  unset(environment: Environment): boolean;
}

export const EVERY_HOURS = 6;

/** The local times of day of a timer that cannot choose them itself: one minute, and the hours. */
export function timesOf(spread: number): { minute: number; hours: number[] } {
  const first = Math.floor(spread / 60) % EVERY_HOURS;
  const hours = Array.from({ length: 24 / EVERY_HOURS }, (_, turn) => first + turn * EVERY_HOURS);
  return { minute: spread % 60, hours };
}

/** In each file that a timer writes, so that a file of another origin is never replaced or removed. */
export const MARK = 'Written by "opbench auto on"; "opbench auto off" removes it.';

export function isOurs(path: string): boolean {
  return readText(path)?.includes(MARK) ?? false;
}

/** @throws {Failure} `usage` if the file exists and is not ours. */
export function refuseForeign(path: string): void {
  if (readText(path) === null || isOurs(path)) return;
  const message = `${path} exists, but was not created by "opbench auto on"`;
  const hint = 'Move the file to another folder, then run the command again.';
  throw new Failure(EXIT.usage, message, hint);
}

const TIMEOUT_MS = 20_000;

export interface Ended {
  /** Null if it was killed. */
  status: number | null;
  stdout: Buffer;
  complaint: string;
}

/** Runs a program and waits for it. Null if there is no program of that name. */
export function runProgram(
  environment: Environment,
  [name = '', ...args]: readonly string[],
  input: Buffer | null = null,
): Ended | null {
  const ended = spawnSync(name, args, {
    // Messages are compared in English.
    env: { ...environment, LC_ALL: 'C' },
    ...(input && { input }),
    stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    windowsHide: true,
  });
  if (isAbsent(ended.error)) return null;
  // A program that did not start has no streams, despite the type.
  const stdout = (ended.stdout as Buffer | null) ?? Buffer.alloc(0);
  return { status: ended.status, stdout, complaint: complaintOf(ended) };
}

function isAbsent(error: NodeJS.ErrnoException | undefined): boolean {
  return error?.code === 'ENOENT' || error?.code === 'EACCES';
}

function complaintOf({ stderr, status, error }: SpawnSyncReturns<Buffer>): string {
  const words = String((stderr as Buffer | null) ?? '').trim();
  if (words !== '') return words.replaceAll(/\s+/g, ' ');
  return error?.message ?? `exit code ${status}`;
}
