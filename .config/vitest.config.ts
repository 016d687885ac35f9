import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    setupFiles: ['tests/support/setup.ts'],
    reporters: ['default', fileURLToPath(new URL('closing-line.ts', import.meta.url))],
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['tests/{core,db,server,agent,pages}/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['tests/{e2e,browser}/**/*.test.ts'],
          setupFiles: ['tests/support/setup-whole.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
