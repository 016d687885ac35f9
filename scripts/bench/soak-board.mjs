// The built server during the soak test (../soak.mjs), and its samples.
import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { round, startBoard } from './lib.mjs';
import { memoryOf, openFilesOf } from './process-stats.mjs';

const REFRESH_SECONDS = 5;
const MEMORY = fileURLToPath(new URL('soak-memory.mjs', import.meta.url));

/** Adds itself to a cgroup, then becomes the server. */
const ENTER = 'echo $$ > "$0/cgroup.procs" && exec "$@"';

/** The built server, with the errors that it logs and the memory of each thread. */
export async function serve({ dataDir, url, sampleMs, cgroup = '', env }) {
  const board = await startBoard({
    dataDir,
    within: cgroup ? ['sh', '-c', ENTER, cgroup] : [],
    refreshSeconds: REFRESH_SECONDS,
    execArgv: ['--expose-gc', '--import', MEMORY],
    env: {
      ...env,
      ...{ BASE_URL: url, PORT: new URL(url).port, TRUST_PROXY: 'loopback' },
      ...{ LOG_REQUESTS: 'all', SAMPLE_MS: String(sampleMs) },
    },
    isQuiet: true,
  });
  const errors = [];
  const held = new Map();
  board.events.on('event', (line) => {
    if (line.event === 'memory') held.set(line.thread, { ...line, atMs: Date.now() });
    if (line.level === 'error') errors.push(`${line.event}: ${line.error}`);
  });
  await board.url;
  return { ...board, url, errors, held };
}

/** A sample of its current state. */
export function sampleOf({ board, tally, dataDir, startMs, sampleMs }) {
  const atMs = Date.now();
  const { heap_mb = null, buffers_mb = null } = board.held.get('main') ?? {};
  const threads = [...board.held.values()]
    .filter((line) => line.thread !== 'main' && line.atMs > atMs - 2 * sampleMs)
    .map((line) => line.heap_mb);
  const [p50_ms, p99_ms] = tally.takeTimes();
  const memory = memoryOf(board.pid);
  return {
    ...{ atMs, second: round((atMs - startMs) / 1000), rss_mb: memory.rssMb },
    anonymous_mb: memory.anonymousMb,
    ...{ heap_mb, buffers_mb },
    threads_mb: threads.reduce((total, mb) => total + mb, 0),
    files: openFilesOf(board.pid).length,
    wal_mb: (statSync(`${dataDir}/opbench.sqlite-wal`, { throwIfNoEntry: false })?.size ?? 0) / 1e6,
    ...{ answers: tally.total, p50_ms, p99_ms },
    ...{ faults: tally.faultCount, errors: board.errors.length },
  };
}

/** The open files without load: once they are not many more than before, or after 20 seconds. */
export async function restingFiles(pid, before = null) {
  for (let tries = 1; tries <= 20; tries += 1) {
    await pause(1000);
    const files = openFilesOf(pid);
    if (before === null ? tries === 3 : files.length <= before.length) return files;
  }
  return openFilesOf(pid);
}
