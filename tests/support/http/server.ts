import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { aDataDir } from '../board/context.ts';
import { built, runBuilt } from './process.ts';

/** The built server, as a keeper runs it, on a port and in a data folder of its own. */
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
  /** A key for readers of the API, as the keeper issues it. */
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
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
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
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const url = await addressOf(child, () => stderr);
  return {
    url,
    baseUrl: env.BASE_URL ?? url,
    dataDir,
    pid: child.pid ?? 0,
    stop: (signal = 'SIGTERM') => stop(child, signal),
    aKey: () => aKey(dataDir),
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

/** The keeper's way in: the one-time URL, its button, the cookie. */
async function signIn(url: string, dataDir: string, codename: string): Promise<string> {
  const env = { DATA_DIR: dataDir, BASE_URL: url };
  const link = await runBuilt('opbench-board.mjs', ['login-link', '--new', codename], env);
  const token = new URL(link.stdout.trim()).searchParams.get('token') ?? '';
  const response = await fetch(`${url}/login/link`, {
    method: 'POST',
    body: new URLSearchParams({ token }),
    redirect: 'manual',
  });
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

async function aKey(dataDir: string): Promise<string> {
  const words = ['key', 'issue', '--label', 'test'];
  const { stdout } = await runBuilt('opbench-board.mjs', words, { DATA_DIR: dataDir });
  return stdout.trim();
}

/** Asks until the answer fits, as a reader of a board that is published again and again would. */
export async function eventually<Value>(
  ask: () => Promise<Value>,
  fits: (value: Value) => boolean,
): Promise<Value> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    const value = await ask();
    if (fits(value)) return value;
    await setTimeout(25);
  }
  return ask();
}
