import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { LIMITS } from '#core/contract/limits.ts';
import { type Store, openStore } from '#db/store.ts';
import { issueApiKey } from '#server/identity/api-keys.ts';
import { createLoginLink } from '#server/identity/sign-in/login-link.ts';
import { sharing, whenOver } from '../board/cleanup.ts';
import { MIGRATIONS, aDataDir } from '../board/context.ts';
import { PATIENCE_MS } from '../board/time.ts';
import { built } from './process.ts';

/** The built server, as an admin runs it, on a port and in a data folder of its own. */
export interface RunningServer {
  url: string;
  /** What clients sign for: the URL, unless the server was told another. */
  baseUrl: string;
  dataDir: string;
  pid: number;
  /** Ends it with a signal and waits until it is gone; returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Makes an operator and signs in; returns the Cookie header of the session. */
  signIn(codename: string): Promise<string>;
  /** A key for readers of the API, as the admin issues it. */
  aKey(): Promise<string>;
  /** What it wrote on stderr. */
  log(): string;
}

export interface ServerOptions {
  /** Reuses what an earlier server left. */
  dataDir?: string;
  env?: Readonly<Record<string, string>>;
  /** Words of a command that starts the server in the end. */
  within?: readonly string[];
}

/** Starts the built server and waits until it serves; it is killed when the test is over. */
export function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  return launch(options);
}

/**
 * A server for the tests of a file that leave it as it was, or do not mind what others did. It starts when the first
 * of them asks for it, and is killed after the last.
 */
export function sharedServer(
  optionsOf: () => ServerOptions = () => ({}),
): () => Promise<RunningServer> {
  const cleanups: (() => void)[] = [];
  let running: Promise<RunningServer> | undefined;
  afterAll(() => cleanups.reverse().forEach((clean) => clean()));
  return () => (running ??= sharing(cleanups, () => launch(optionsOf())));
}

async function launch(options: ServerOptions): Promise<RunningServer> {
  const dataDir = options.dataDir ?? aDataDir();
  const env: Record<string, string> & { BASE_URL?: string } = {
    DATA_DIR: dataDir,
    PORT: '0',
    REFRESH_SECONDS: '0.5',
    RATE_LIMIT_PUBLIC: '1000000',
    RATE_LIMIT_WRITES: '1000000',
    ...options.env,
  };
  const words = [...(options.within ?? []), process.execPath, built('server/entry.mjs')];
  const child = spawn(words[0] ?? '', words.slice(1), {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  whenOver(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const url = await addressOf(child, () => stderr);
  return {
    url,
    baseUrl: env.BASE_URL ?? url,
    dataDir,
    pid: child.pid ?? 0,
    stop: (signal = 'SIGTERM') => stop(child, signal),
    aKey: async () => aKey(dataDir),
    signIn: (codename) => signIn(url, dataDir, codename),
    log: () => stderr,
  };
}

async function addressOf(child: ChildProcess, log: () => string): Promise<string> {
  let stdout = '';
  return new Promise((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      const port = / is served on (\S+)\n/.exec(stdout)?.[1];
      if (port) resolve(port);
    });
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${log()}`)));
  });
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
  return child.exitCode;
}

/** Makes an operator in the database if there is none of that name, and signs in by a one-time URL: its button, the cookie. */
async function signIn(url: string, dataDir: string, codename: string): Promise<string> {
  const link = inStore(dataDir, (store) =>
    createLoginLink(store, {
      codename,
      create: store.operators.byCodename(codename) === undefined,
      baseUrl: url,
      now: new Date(),
    }),
  );
  const token = new URL(link).searchParams.get('token') ?? '';
  const response = await fetch(`${url}/login/link`, {
    method: 'POST',
    body: new URLSearchParams({ token }),
    redirect: 'manual',
  });
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

function aKey(dataDir: string): string {
  const issued = { label: 'test', per_minute: LIMITS.key.quota, now: new Date() };
  return inStore(dataDir, (store) => issueApiKey(store, issued));
}

/** Works in the database of a running server, as `opbench-board` does. */
function inStore<Result>(dataDir: string, work: (store: Store) => Result): Result {
  const path = join(dataDir, 'opbench.sqlite');
  const store = openStore({ path, migrations: MIGRATIONS, now: () => new Date() });
  try {
    return work(store);
  } finally {
    store.close();
  }
}

/** Asks until the answer fits, as a reader of a board that is published again and again would. */
export async function eventually<Value>(
  ask: () => Promise<Value>,
  fits: (value: Value) => boolean,
): Promise<Value> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (performance.now() < giveUpAt) {
    const value = await ask();
    if (fits(value)) return value;
    await setTimeout(25);
  }
  return ask();
}
