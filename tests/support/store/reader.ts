/** The built reader, as an admin runs it beside a writer. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { whenOver } from '../board/cleanup.ts';
import { NODE_COMPILE_CACHE, built } from '../http/process.ts';
import { type RunningServer, eventually } from '../http/server.ts';
import type { S3 } from './s3-server.ts';

export interface RunningReader {
  url: string;
  pid: number;
  /** Lets half a minute pass at once. */
  waitLong(): void;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Its output on stderr. */
  log(): string;
}

/** Preloads a script that lets time pass. */
const LATER = `--import=${new URL('later.mjs', import.meta.url).href}`;

/** Starts the built program, and waits until it listens. It is killed after the test. */
export async function startReader(
  s3: Pick<S3, 'env'>,
  writer: Pick<RunningServer, 'url'> | null,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningReader> {
  const child = spawn(process.execPath, [built('opbench-board.mjs'), 'read'], {
    env: {
      ...s3.env,
      ...(writer && { WRITER_URL: writer.url }),
      PORT: '0',
      NODE_COMPILE_CACHE,
      NODE_OPTIONS: LATER,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  whenOver(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exited = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      const found = /reader is running at (\S+)\n/.exec(stdout)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`The reader ended with ${code}: ${stderr}`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    waitLong: () => void child.kill('SIGUSR2'),
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      await exited;
      return child.exitCode;
    },
    log: () => stderr,
  };
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

interface Asking {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
}

/**
 * Asks a machine as a load balancer would: with the public address of the board as Host.
 *
 * @param machine A reader, or the writer itself.
 */
export async function askAt(
  machine: { url: string },
  { baseUrl }: { baseUrl: string },
  address: string,
  { method = 'GET', headers = {}, body }: Asking = {},
): Promise<Answer> {
  const { host } = new URL(baseUrl);
  const asked = request(machine.url + address, { method, headers: { Host: host, ...headers } });
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, headers: answer.headers, bytes: await buffer(answer) };
}

/** Waits until a reader shows a page, and returns its text. */
export async function shown(
  reader: RunningReader,
  board: RunningServer,
  address = '/',
): Promise<string> {
  const { status, bytes } = await eventually(
    () => askAt(reader, board, address),
    (answer) => answer.status === 200,
  );
  if (status !== 200) throw new Error(`${address} answered ${status}`);
  return String(bytes);
}
