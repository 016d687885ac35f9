import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type UnwritableError, unwritable, whyUnwritable } from '#server/process/storage-fault.ts';
import { aDataDir } from '#tests/support/board/context.ts';

const refused = (code: string) => Object.assign(new Error(`${code}: no, open`), { code });

test.each([
  ['EACCES', 'permission'],
  ['EROFS', 'read-only'],
  ['ENOSPC', 'full'],
  ['EIO', 'EIO: no, open'],
])('%s is explained', (code, advice) => {
  const why = whyUnwritable('/x/y', refused(code));
  expect(why).toMatch(/^Cannot write \/x\/y: /);
  expect(why).toContain(advice);
});

test('explains the errors of a real folder', () => {
  const folder = join(aDataDir(), 'folder');
  mkdirSync(folder);
  const said = (path: string) => {
    try {
      writeFileSync(path, '');
    } catch (error) {
      return whyUnwritable(path, error);
    }
    return null;
  };
  expect(said(folder)).toContain('it is a folder');
  // Windows reports that there is no such folder.
  if (process.platform !== 'win32')
    expect(said(join(folder, 'x'.repeat(300)))).toContain('too long');
});

test('leaves errors unchanged that do not come from the system', () => {
  const error = new TypeError('no');
  expect(unwritable('/x', error)).toBe(error);
  const told = (code: string) => unwritable('/x', refused(code)) as UnwritableError;
  expect(told('EACCES')).toMatchObject({ name: 'UnwritableError', isNoPlace: false });
  expect(told('ENOTDIR')).toMatchObject({ name: 'UnwritableError', isNoPlace: true });
});
