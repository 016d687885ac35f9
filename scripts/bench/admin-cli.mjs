// The built admin's command, beside a running server or without one.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../runtime.mjs';

const COMMAND = join(ROOT, 'dist', 'opbench-board.mjs');
const run = promisify(execFile);

/** Runs the admin's command on the board of a data folder; returns what it says on stdout. */
export async function runAdmin({ dataDir, url }, ...words) {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, BASE_URL: url };
  const { stdout } = await run(process.execPath, [COMMAND, ...words], { env });
  return stdout.trim();
}
