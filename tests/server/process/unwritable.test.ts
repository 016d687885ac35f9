import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type UnwritableError, unwritable, whyUnwritable } from '#server/process/storage-fault.ts';
import { aDataDir } from '#tests/support/board/context.ts';

const refused = (code: string) => Object.assign(new Error(`${code}: no, open`), { code });

test.each([
  ['EACCES', 'you may not write there. Name another place, or run this as a user who may'],
  ['EROFS', 'its disk may only be read. Name another one'],
  ['ENOSPC', 'its disk is full. Make room, or name another one'],
  ['EIO', 'EIO: no, open'],
])('%s is told with what to do', (code, advice) => {
  expect(whyUnwritable('/x/y', refused(code))).toBe(`/x/y cannot be written: ${advice}`);
});

test('what the system says of a real folder is told with what to do', () => {
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
  expect(said(folder)).toContain('it is a folder. Name a file in it');
  expect(said(join(folder, 'x'.repeat(300)))).toContain('too long');
});

test('what is no refusal of the system stays as it is', () => {
  const error = new TypeError('no');
  expect(unwritable('/x', error)).toBe(error);
  const told = (code: string) => unwritable('/x', refused(code)) as UnwritableError;
  expect(told('EACCES')).toMatchObject({ name: 'UnwritableError', isNoPlace: false });
  expect(told('ENOTDIR')).toMatchObject({ name: 'UnwritableError', isNoPlace: true });
});
