import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests that put another module in place of one, which the others must not meet. */
const MOCKED = 'tests/**/*.mocked.test.ts';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    setupFiles: ['tests/support/setup.ts'],
    reporters: ['default', fileURLToPath(new URL('closing-line.ts', import.meta.url))],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/{core,db,server,agent,charts,components,satellite}/**/*.test.ts'],
          exclude: [MOCKED],
          // Loading every module anew for each file took a third of the time.
          isolate: false,
          // A machine may have much else to do.
          testTimeout: 20_000,
        },
      },
      {
        extends: true,
        test: { name: 'mocked', include: [MOCKED] },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['tests/e2e/**/*.test.ts'],
          setupFiles: ['tests/support/setup-whole.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          setupFiles: ['tests/support/setup-whole.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: ['tests/slow/**/*.test.ts'],
          // Here, since a module that is loaded before a test sets it would not hear of it.
          env: {
            FUZZ_RUNS: '5000',
            FUZZ_SEED: process.env['FUZZ_SEED'] ?? String(Date.now() % 2 ** 31),
          },
          setupFiles: ['tests/support/setup-whole.ts'],
          testTimeout: 600_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
