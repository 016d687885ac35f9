import { realpathSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import LongestFirst from './longest-first.ts';

/** Tests that replace a module, which must not affect other tests. */
const MOCKED = 'tests/**/*.mocked.test.ts';

/** Shares compiled modules with the threads and servers that tests start. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url));

/** The path of the temporary folder, which is a link on macOS and abbreviated on Windows. Tests compare paths. */
const TEMPORARY = realpathSync.native(tmpdir());

/** Keeps the files of tests in memory if there is room, so that durable writes do not wait for a disk. */
const IN_MEMORY = hasRoom('/dev/shm') ? { TMPDIR: '/dev/shm' } : {};

/** Settings for tests of a built server, whose responses are checked against the contract. The machine may be busy. */
const WHOLE = {
  env: { ...IN_MEMORY, NODE_COMPILE_CACHE },
  setupFiles: ['tests/support/setup-whole.ts'],
  // Tests wait for processes and browsers much of the time, so two files at once would leave cores idle.
  // They come first, because lint and types run while they wait.
  maxWorkers: 3,
  sequence: { groupOrder: 0 },
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

/** The number of cores of a small machine. */
const AT_ONCE = 2;

/** Node itself loads the sources, which is faster than transforming each of them. */
const LOADED_BY_NODE = { viteModuleRunner: false, nodeLoader: false };

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    setupFiles: ['tests/support/setup.ts'],
    sequence: { sequencer: LongestFirst },
    reporters: ['default', fileURLToPath(new URL('closing-line.ts', import.meta.url))],
    testTimeout: 60_000,
    env: { TMPDIR: TEMPORARY, TEMP: TEMPORARY, TMP: TEMPORARY },
    // Loading every module again for each file takes a third of the time.
    isolate: false,
    experimental: LOADED_BY_NODE,
    execArgv: ['--import', new URL('load-sources.mjs', import.meta.url).href],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          env: { ...IN_MEMORY, NODE_COMPILE_CACHE },
          include: [
            'tests/{content,core,db,server,agent,charts,components,satellite,scripts}/**/*.test.ts',
          ],
          exclude: [MOCKED],
          maxWorkers: AT_ONCE,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'mocked',
          include: [MOCKED],
          isolate: true,
          maxWorkers: AT_ONCE,
          sequence: { groupOrder: 1 },
          // Only transformed modules can be replaced.
          experimental: { viteModuleRunner: true, nodeLoader: true },
        },
      },
      {
        extends: true,
        test: {
          ...WHOLE,
          name: 'whole',
          include: ['tests/e2e/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          ...WHOLE,
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          ...WHOLE,
          name: 'slow',
          include: ['tests/slow/**/*.test.ts'],
          // Set here, because a module may read it before a test could set it.
          env: {
            NODE_COMPILE_CACHE,
            FUZZ_RUNS: '5000',
            FUZZ_SEED: process.env['FUZZ_SEED'] ?? String(Date.now() % 2 ** 31),
          },
          testTimeout: 600_000,
          maxWorkers: 1,
          fileParallelism: false,
          isolate: true,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});

/** Whether a file system has a gigabyte free. */
function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > 2 ** 30;
  } catch {
    return false;
  }
}
