import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { aClaudeLine } from '../logs/log-writers.ts';
import { type PreparedResponse, type Started, built, start } from '../http/process.ts';
import { runOpbench } from './opbench.ts';

/** A device with logs and `opbench`. */
export interface Installation {
  home: string;
  /** Runs a command in this process. */
  run(...args: string[]): Promise<PreparedResponse>;
  /** Starts the built program. */
  start(...args: string[]): Started;
  /** Runs the built program. */
  runBuilt(...args: string[]): Promise<PreparedResponse>;
  /** Writes one day's Claude Code transcript: a single response with these counts. */
  logDay(day: string, counts: DayCounts): void;
}

export interface DayCounts {
  input: number;
  output: number;
  cache_write: number;
  cache_read: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The UTC day a number of days before today. */
export function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
}

export function anInstallation(): Installation {
  const home = mkdtempSync(join(tmpdir(), 'opbench-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const begin = (...args: string[]) =>
    start(process.execPath, [built('opbench.mjs'), ...args], { HOME: home });
  return {
    home,
    run: (...args) => runOpbench(args, { HOME: home }),
    start: begin,
    runBuilt: (...args) => begin(...args).finished,
    logDay(day, counts) {
      const path = join(home, '.claude', 'projects', 'p', `${day}.jsonl`);
      mkdirSync(dirname(path), { recursive: true });
      const at = Date.parse(`${day}T12:00:00Z`) - Date.UTC(2026, 2, 2);
      writeFileSync(path, `${aClaudeLine({ id: `msg_${day}`, at, ...counts })}\n`);
    },
  };
}

/**
 * Enrolls an installation as the signed-in operator.
 *
 * @param board The address for the device, if it differs.
 */
export async function enroll(
  installation: Installation,
  url: string,
  cookie: string,
  board = url,
): Promise<PreparedResponse> {
  const code = await newCode(url, cookie);
  return installation.run('enroll', code, '--board', board);
}

/** A code from the settings of a signed-in operator. */
export async function newCode(url: string, cookie: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/devices/codes`, {
    method: 'POST',
    headers: { Cookie: cookie },
  });
  const { code } = (await response.json()) as { code: string };
  return code;
}
