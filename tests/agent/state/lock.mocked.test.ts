/** Processes that end while they write a lock. */
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { takeLock } from '#agent/state/lock.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

const ending = vi.hoisted(() => ({ isNow: false, canLink: true }));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return {
    ...fs,
    writeFileSync: (...[path, text, options]: Parameters<typeof fs.writeFileSync>) => {
      fs.writeFileSync(path, ending.isNow ? '' : text, options);
      if (ending.isNow) throw new Error('the process ended');
    },
    rmSync: (...args: Parameters<typeof fs.rmSync>) => {
      if (!ending.isNow) fs.rmSync(...args);
    },
    linkSync: (...args: Parameters<typeof fs.linkSync>) => {
      if (!ending.canLink)
        throw Object.assign(new Error('no links'), { code: 'EPERM', syscall: 'link' });
      fs.linkSync(...args);
    },
  };
});

test('a process that ends while it writes a lock does not block others', () => {
  const path = join(aFolder(), 'lock');
  ending.isNow = true;
  expect(() => takeLock(path)).toThrow('ended');
  ending.isNow = false;

  expect(takeLock(path)).not.toBeNull();
});

test('a lock is taken once without hard links', () => {
  const path = join(aFolder(), 'lock');
  ending.canLink = false;

  const taken = [takeLock(path), takeLock(path)];
  ending.canLink = true;

  expect(taken.map((lock) => lock !== null)).toEqual([true, false]);
});
