/** The built server with a clock that tests control, across restarts and restores. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import type { OperatorHistory } from '#core/contract/operators.ts';
import { aFreePort } from '../http/free-port.ts';
import { runAdmin } from '../board/admin.ts';
import { built, start } from '../http/process.ts';
import type { DaySum } from '../logs/told.ts';

/** Preloaded into a process, it sets the clock from a file. */
export const SET_BY_FILE = new URL('../http/set-clock.mjs', import.meta.url).href;
const PRELOADED = new URL('simulated-server.mjs', import.meta.url).href;

/** How long a cookie is used before signing in again, in simulated time. */
const COOKIE_MS = 24 * 60 * 60 * 1000;

/** Runs a function with the clock of this process at a fixed time. */
export async function whileAt<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  vi.setSystemTime(ms);
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}

/** A time that many processes share, and that advances from where it was set. */
class SimulatedClock {
  readonly file: string;
  #aheadMs = 0;

  constructor(folder: string) {
    this.file = join(folder, 'clock');
    this.set(Date.now());
  }

  nowMs(): number {
    return Date.now() + this.#aheadMs;
  }

  /** Sets it, in milliseconds since the epoch. */
  set(ms: number): void {
    this.#aheadMs = ms - Date.now();
    writeFileSync(this.file, String(this.#aheadMs));
  }

  /** How far it is ahead of the real time. */
  get aheadMs(): number {
    return this.#aheadMs;
  }
}

export class SimulatedBoard {
  readonly folder: string;
  readonly url: string;
  readonly clock: SimulatedClock;
  readonly #cookies = new Map<string, { cookie: string; atMs: number }>();
  #child: ChildProcess | null = null;
  #log = '';

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.url = `http://127.0.0.1:${port}`;
    this.clock = new SimulatedClock(folder);
  }

  static async start(): Promise<SimulatedBoard> {
    const folder = mkdtempSync(join(tmpdir(), 'opbench-simulated-'));
    const board = new SimulatedBoard(folder, await aFreePort());
    await board.serve();
    return board;
  }

  /** Stops the server and deletes its files. */
  async end(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async serve(): Promise<void> {
    const { child } = start(process.execPath, [built('server/entry.mjs')], {
      ...this.#environment,
      PORT: new URL(this.url).port,
      REFRESH_SECONDS: '30',
      RATE_LIMIT_PUBLIC: '1000000',
      RATE_LIMIT_WRITES: '1000000',
      LOG_REQUESTS: 'none',
      NODE_OPTIONS: `--import=${PRELOADED}`,
      CLOCK_FILE: this.clock.file,
    });
    this.#child = child;
    child.stderr?.on('data', (text: string) => (this.#log += text));
    await new Promise<void>((resolve, reject) => {
      child.stdout?.on('data', (text: string) => {
        if (text.includes(' is running at ')) resolve();
      });
      child.once('exit', (code) =>
        reject(new Error(`The server ended with ${code}: ${this.#log}`)),
      );
    });
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }

  /** Its output on stderr. */
  log(): string {
    return this.#log;
  }

  get #environment() {
    return { DATA_DIR: join(this.folder, 'data'), BASE_URL: this.url };
  }

  /** Runs `opbench-board` in this process, at a fixed simulated time. */
  async admin(...words: string[]): Promise<string> {
    const { status, stdout, stderr } = await whileAt(this.clock.nowMs(), () =>
      runAdmin(words, this.#environment),
    );
    if (status !== 0) throw new Error(`opbench-board ${words.join(' ')}: ${stdout}${stderr}`);
    return stdout + stderr;
  }

  /** Makes a backup; returns its file. */
  async backup(): Promise<string> {
    const file = join(this.folder, `backup-${this.clock.nowMs()}.sqlite`);
    await this.admin('backup', file);
    return file;
  }

  /** Restores a backup. */
  async restore(file: string): Promise<void> {
    await this.stop();
    await this.admin('restore', file, '--force');
    this.#cookies.clear();
    await this.serve();
  }

  /** Sends a request as a signed-in operator, who is created if needed. */
  async ask(account: string, method: string, path: string): Promise<unknown> {
    return this.#answer(path, { method, headers: { Cookie: await this.#cookieOf(account) } });
  }

  async #answer(path: string, init: RequestInit = {}): Promise<unknown> {
    const response = await fetch(this.url + path, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text) as unknown;
  }

  /** A code for a new device. */
  async codeFor(account: string): Promise<string> {
    const { code } = (await this.ask(account, 'POST', '/api/v1/devices/codes')) as { code: string };
    return code;
  }

  /** The public counts of an account on the board. */
  async countedOf(account: string): Promise<Map<string, DaySum>> {
    const path = `/api/v1/operators/${account}/history?window=all_time`;
    const { points } = (await this.#answer(path)) as OperatorHistory;
    return new Map(
      points.map(({ date, input, output, cache_write, cache_read }) => {
        const caches = { cache_write: cache_write ?? 0, cache_read: cache_read ?? 0 };
        return [date, { responses: 0, input, output, ...caches }];
      }),
    );
  }

  async #cookieOf(account: string): Promise<string> {
    const known = this.#cookies.get(account);
    const atMs = this.clock.nowMs();
    if (known && Math.abs(atMs - known.atMs) < COOKIE_MS) return known.cookie;
    const isNew = known === undefined && !(await this.#hasAccount(account));
    const link = await this.admin('login-link', ...(isNew ? ['--new'] : []), account);
    const token = new URL(link.trim()).searchParams.get('token') ?? '';
    const init = {
      method: 'POST',
      body: new URLSearchParams({ token }),
      redirect: 'manual',
    } as const;
    const response = await fetch(`${this.url}/login/link`, init);
    const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    this.#cookies.set(account, { cookie, atMs });
    return cookie;
  }

  async #hasAccount(account: string): Promise<boolean> {
    return (await fetch(`${this.url}/api/v1/operators/${account}/keys`)).ok;
  }
}
