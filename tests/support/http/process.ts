import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const DIST = fileURLToPath(new URL('../../../dist/', import.meta.url));

/** A built file. */
export function built(name: string): string {
  return DIST + name;
}

export interface PreparedResponse {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** A running program. */
export interface Started {
  child: ChildProcess;
  finished: Promise<PreparedResponse>;
}

/** Runs a built command to its end, with only the given environment. */
export function runBuilt(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<PreparedResponse> {
  return start(process.execPath, [built(name), ...args], env).finished;
}

/** Where servers and programs cache their compiled modules. */
export const { NODE_COMPILE_CACHE = '' } = process.env;

/** Windows ends a process at once, whatever the signal. Only a console can ask it to stop. */
export const HAS_SIGNALS = process.platform !== 'win32';

/** Starts a program, with only this environment and the given one. */
export function start(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd = process.cwd(),
): Started {
  const child = spawn(program, args, {
    // The home folder on Windows, where Node would add the user's own.
    env: { NODE_COMPILE_CACHE, ...(env['HOME'] && { USERPROFILE: env['HOME'] }), ...env },
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const out = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (out.stderr += text));
  const finished = new Promise<PreparedResponse>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, ...out }));
  });
  return { child, finished };
}

/** Waits until a board reports that it is running. It is killed after the test. */
export async function untilServing({ child, finished }: Started): Promise<void> {
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (text: string) => {
      stdout += text;
      if (stdout.includes(' is running at ')) resolve();
    });
    void finished.then(({ stderr }) => reject(new Error(`It ended: ${stderr}`)));
  });
}
