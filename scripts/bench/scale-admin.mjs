// The time and memory of commands on a board while its server runs: see scale.mjs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../runtime.mjs';
import { memoryOf } from './process-stats.mjs';

const SAMPLE_MS = 50;
const BOARD = 'opbench-board.mjs';

export async function timeBackup({ config }) {
  const file = `${config.dataDir}.backup`;
  const { seconds } = await measure(config, BOARD, ['backup', file]);
  const megabytes = statSync(file).size / 1e6;
  rmSync(file, { force: true });
  return { 'backup, s': seconds, 'backup, MB/s': seconds === null ? null : megabytes / seconds };
}

export async function timeVerify({ config }) {
  const file = `${config.dataDir}.ndjson.gz`;
  const board = await measure(config, BOARD, ['verify']);
  const exported = await measure(config, BOARD, ['export', file]);
  const log = await measure(config, 'opbench.mjs', ['verify', file]);
  rmSync(file, { force: true });
  return {
    'verify, s': board.seconds,
    'verify, most anonymous memory, MB': board.peakMb,
    'export of the public log, s': exported.seconds,
    'verify of the public log, s': log.seconds,
    'verify of the public log, most anonymous memory, MB': log.peakMb,
  };
}

/** Runs a built program. Its time is null if it fails. */
async function measure({ dataDir, baseUrl }, program, words) {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [join(ROOT, 'dist', program), ...words], {
    env: { PATH: process.env.PATH, HOME: dataDir, DATA_DIR: dataDir, BASE_URL: baseUrl },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let peakMb = null;
  const sampling = setInterval(() => {
    const { anonymousMb } = memoryOf(child.pid);
    if (anonymousMb !== null) peakMb = Math.max(peakMb ?? 0, anonymousMb);
  }, SAMPLE_MS);
  const [code] = await once(child, 'exit');
  clearInterval(sampling);
  const seconds = (performance.now() - startedMs) / 1000;
  return { seconds: code === 0 ? seconds : null, peakMb };
}
