import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '#db/engine/make-folder.ts';
import { aDataDir } from '#tests/support/board/context.ts';
import { expectMode } from '#tests/support/board/file-mode.ts';

/** Longer than any process takes to start, but not unlimited. */
const TIMEOUT_MS = 20_000;

test('creates every missing folder, and accepts an existing one', () => {
  const folder = join(aDataDir(), 'a', 'b', 'c');

  makeFolder(folder, 0o700);
  makeFolder(folder, 0o700);

  expectMode(folder, 0o700);
  expectMode(join(folder, '..'), 0o700);
});

test('reports that a file is in the way of a folder', () => {
  const file = join(aDataDir(), 'file');
  writeFileSync(file, '');

  expect(() => makeFolder(file)).toThrow('EEXIST');
  expect(() => makeFolder(join(file, 'x', 'y'))).toThrow('EEXIST');
});

test.skipIf(!existsSync('/proc/self'))('ends if no folder can be created', () => {
  const module = new URL('../../../db/engine/make-folder.ts', import.meta.url).href;
  const code = `const { makeFolder } = await import('${module}');
    try { makeFolder('/proc/opbench/x'); } catch ({ code }) { console.log(code); }`;
  const args = ['--input-type=module', '--eval', code];

  const told = execFileSync(process.execPath, args, { timeout: TIMEOUT_MS, encoding: 'utf8' });

  expect(told).toMatch(/^(?:ENOENT|EACCES|EPERM)\n$/);
});
