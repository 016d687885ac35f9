import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { LIMITS } from '#core/contract/limits.ts';
import { type Store, openStore } from '#db/store.ts';
import { issueApiKey } from '#server/identity/api-keys.ts';
import { createLoginLink } from '#server/identity/sign-in/login-link.ts';
import { createSessions } from '#server/identity/sessions.ts';
import { sharing, whenOver } from '../board/cleanup.ts';
import { MIGRATIONS, aDataDir } from '../board/context.ts';
import { PATIENCE_MS } from '../board/time.ts';
import { NODE_COMPILE_CACHE, built } from './process.ts';

/** The built server, as an admin runs it, on its own port and in its own data folder. */
export interface RunningServer {
  url: string;
  /** The address for which clients sign: the URL, unless the server is configured with another one. */
  baseUrl: string;
  dataDir: string;
  pid: number;
  /** Ends it with a signal and waits for the end. Returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Creates an operator and signs in. Returns the Cookie header of the session. */
  signIn(codename: string): Promise<string>;
  /** An API key for readers, as the admin issues it. */
  aKey(): Promise<string>;
  /** Its output on stdout. */
  output(): string;
  /** Its output on stderr. */
  log(): string;
}

export interface ServerOptions {
  /** Reuses an earlier server's files. */
  dataDir?: string;
  env?: Readonly<Record<string, string>>;
  /** Arguments of a command that ends up starting the server. */
  within?: readonly string[];
  /** Whether the server and its data folder exist until the test worker ends. */
  isOfWorker?: boolean;
}

/** Preloads a script that ends a server together with the worker that started it. */
const WITH_WORKER = `--import=${new URL('with-worker.mjs', import.meta.url).href}`;

/** Starts the built server and waits until it serves. It is killed after the test. */
export function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  return launch(options);
}

/**
 * A server for the tests of a file that leave it unchanged, or do not depend on others' changes. It starts when the
 * first of them needs it, and is killed after the last.
 */
export function sharedServer(
  optionsOf: () => ServerOptions = () => ({}),
): () => Promise<RunningServer> {
  const cleanups: (() => void)[] = [];
  let running: Promise<RunningServer> | undefined;
  afterAll(() => cleanups.reverse().forEach((clean) => clean()));
  return () => (running ??= sharing(cleanups, () => launch(optionsOf())));
}

/** A server for all files of a worker, which starts when the first of them needs it. */
export function workerServer(optionsOf: () => ServerOptions): () => Promise<RunningServer> {
  let running: Promise<RunningServer> | undefined;
  return () => (running ??= sharing([], () => launch({ ...optionsOf(), isOfWorker: true })));
}

async function launch(options: ServerOptions): Promise<RunningServer> {
  const { dataDir = aDataDir(), within = [], isOfWorker = false } = options;
  const env: Record<string, string> & { BASE_URL?: string } = {
    DATA_DIR: dataDir,
    PORT: '0',
    REFRESH_SECONDS: '0.5',
    RATE_LIMIT_PUBLIC: '1000000',
    RATE_LIMIT_WRITES: '1000000',
    NODE_COMPILE_CACHE,
    ...(isOfWorker && { NODE_OPTIONS: WITH_WORKER }),
    ...options.env,
  };
  const words = [...within, process.execPath, built('server/entry.mjs')];
  const child = spawn(words[0] ?? '', words.slice(1), {
    env,
    stdio: ['ignore', 'pipe', 'pipe', ...(isOfWorker ? (['ipc'] as const) : [])],
  });
  whenOver(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const output = outputOf(child);
  const url = await addressOf(child, () => stderr);
  const baseUrl = env.BASE_URL ?? url;
  return {
    url,
    baseUrl,
    dataDir,
    pid: child.pid ?? 0,
    stop: (signal = 'SIGTERM') => stop(child, signal),
    aKey: () => aKey(dataDir),
    signIn: (codename) => signIn(baseUrl, dataDir, codename),
    output,
    log: () => stderr,
  };
}

/** Collects what a process writes to stdout. */
function outputOf({ stdout }: ChildProcess): () => string {
  let output = '';
  stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  return () => output;
}

async function addressOf(child: ChildProcess, log: () => string): Promise<string> {
  let stdout = '';
  return new Promise((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      const port = / is running at (\S+)\n/.exec(stdout)?.[1];
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

/** Creates an operator with this name in the database if needed, and a session as a sign-in link would start it. */
async function signIn(baseUrl: string, dataDir: string, codename: string): Promise<string> {
  const now = () => new Date();
  const cookie = await inStore(dataDir, (store) => {
    const create = store.operators.byCodename(codename) === undefined;
    createLoginLink(store, { codename, create, baseUrl, now: now() });
    const { id = 0 } = store.operators.byCodename(codename) ?? {};
    const sessions = createSessions(store, baseUrl.startsWith('https:'), now, () => false);
    return sessions.start(id, { method: 'login_link' });
  });
  return cookie.split(';')[0] ?? '';
}

function aKey(dataDir: string): Promise<string> {
  const issued = { label: 'test', per_minute: LIMITS.key.quota, now: new Date() };
  return inStore(dataDir, (store) => issueApiKey(store, issued));
}

/** Works in the database of a running server, as `opbench-board` does. */
async function inStore<Result>(
  dataDir: string,
  work: (store: Store) => Promise<Result> | Result,
): Promise<Result> {
  const path = join(dataDir, 'opbench.sqlite');
  const store = openStore({ path, migrations: MIGRATIONS, now: () => new Date() });
  try {
    return await work(store);
  } finally {
    store.close();
  }
}

/** Repeats a request until the response matches, like a reader of a board that is published repeatedly. */
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
