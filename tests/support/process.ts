import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

/** A built file. */
export function built(name: string): string {
  return DIST + name;
}

export interface Finished {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a built command to its end, with nothing in its environment but what is given. */
export async function runBuilt(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Finished> {
  const child = spawn(process.execPath, [built(name), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const out = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (out.stderr += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, ...out }));
  });
}
