import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests that put another module in place of one, which the others must not meet. */
const MOCKED = 'tests/**/*.mocked.test.ts';

/** Whole-server tests that measure how their server bears load, and want no load beside it. */
const ALONE = ['large-accounts', 'life', 'slow-clients'].map((name) => `tests/e2e/${name}.test.ts`);

/** A built server, answers of which are held against the contract. A machine may have much else to do. */
const WHOLE = {
  setupFiles: ['tests/support/setup-whole.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

/** At once; whole servers mostly wait. */
const maxWorkers = 3;

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    setupFiles: ['tests/support/setup.ts'],
    reporters: ['default', fileURLToPath(new URL('closing-line.ts', import.meta.url))],
    testTimeout: 60_000,
    // Loading every module anew for each file took a third of the time.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'tests/{core,db,server,agent,charts,components,satellite,scripts}/**/*.test.ts',
          ],
          exclude: [MOCKED],
          maxWorkers,
        },
      },
      {
        extends: true,
        test: { name: 'mocked', include: [MOCKED], isolate: true, maxWorkers },
      },
      {
        extends: true,
        test: {
          ...WHOLE,
          name: 'whole',
          include: ['tests/e2e/**/*.test.ts'],
          exclude: ALONE,
          maxWorkers,
        },
      },
      {
        extends: true,
        test: { ...WHOLE, name: 'browser', include: ['tests/browser/**/*.test.ts'], maxWorkers },
      },
      {
        extends: true,
        test: {
          ...WHOLE,
          name: 'alone',
          include: ALONE,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
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
