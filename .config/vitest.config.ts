import { statfsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests that put another module in place of one, which the others must not meet. */
const MOCKED = 'tests/**/*.mocked.test.ts';

/** Threads and servers that tests start find their modules compiled. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url));

/** A built server, answers of which are held against the contract. A machine may have much else to do. */
const WHOLE = {
  env: { NODE_COMPILE_CACHE },
  setupFiles: ['tests/support/setup-whole.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

/** Files of tests live in memory where there is room: what is written safely there waits for no disk. */
const IN_MEMORY = hasRoom('/dev/shm') ? { TMPDIR: '/dev/shm' } : {};

/** As many as a small machine has cores. Whole servers come first: lint and types run while they wait. */
const AT_ONCE = 2;

/** Node itself loads the sources, which costs less than having each of them transformed. */
const LOADED_BY_NODE = { viteModuleRunner: false, nodeLoader: false };

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    setupFiles: ['tests/support/setup.ts'],
    reporters: ['default', fileURLToPath(new URL('closing-line.ts', import.meta.url))],
    testTimeout: 60_000,
    // Loading every module anew for each file took a third of the time.
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
          // Only what is transformed can be put in place of another module.
          experimental: { viteModuleRunner: true, nodeLoader: true },
        },
      },
      {
        extends: true,
        test: {
          ...WHOLE,
          name: 'whole',
          include: ['tests/e2e/**/*.test.ts'],
          maxWorkers: AT_ONCE,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          ...WHOLE,
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          maxWorkers: AT_ONCE,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          ...WHOLE,
          name: 'slow',
          include: ['tests/slow/**/*.test.ts'],
          // Here, since a module that is loaded before a test sets it would not hear of it.
          env: {
            NODE_COMPILE_CACHE,
            FUZZ_RUNS: '5000',
            FUZZ_SEED: process.env['FUZZ_SEED'] ?? String(Date.now() % 2 ** 31),
          },
          testTimeout: 600_000,
          fileParallelism: false,
          isolate: true,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});

/** Whether a file system takes a gigabyte. */
function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > 2 ** 30;
  } catch {
    return false;
  }
}
