import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('ending-threads.mjs', import.meta.url));

test('threads end while they compress', async () => {
  const { stderr } = await promisify(execFile)(process.execPath, [PROGRAM]);
  expect(stderr).toBe('');
});
