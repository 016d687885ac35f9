import { chmodSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isDataLocked, lockData } from '#db/engine/data-lock.ts';
import { aDataDir } from '#tests/support/board/context.ts';

test.skipIf(process.platform === 'win32')(
  'only the owner of a data folder can open its lock file, and the lock stays held',
  () => {
    const folder = aDataDir();
    const path = join(folder, 'server.lock');
    const modeOf = () => statSync(path).mode & 0o777;

    const lock = lockData(folder);
    expect(modeOf()).toBe(0o600);
    // As an earlier version created it.
    chmodSync(path, 0o644);
    expect(lockData(folder)).toBeNull();
    expect(modeOf()).toBe(0o600);

    lock?.release();
    const next = lockData(folder);
    expect(next).not.toBeNull();
    next?.release();
  },
);

test('another command sees whether a folder is locked', () => {
  const folder = aDataDir();
  expect(isDataLocked(folder)).toBe(false);
  expect(readdirSync(folder)).toEqual([]);

  const lock = lockData(folder);
  expect(isDataLocked(folder)).toBe(true);
  expect(lockData(folder)).toBeNull();
  lock?.release();
  expect(isDataLocked(folder)).toBe(false);
});

test.skipIf(process.platform === 'win32')(
  'a look at a folder changes no file behind a link',
  () => {
    const [folder, other] = [aDataDir(), join(aDataDir(), 'passwd')];
    writeFileSync(other, 'root');
    chmodSync(other, 0o644);
    symlinkSync(other, join(folder, 'server.lock'));

    expect(isDataLocked(folder)).toBe(false);
    expect(statSync(other)).toMatchObject({ size: 4, mode: 0o100_644 });
  },
);
