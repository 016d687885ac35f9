import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { takeLock, withLock } from '#agent/state/lock.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

/** The number of a process that has ended. */
function aDeadProcess(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

/** A lock file with this text, written a number of seconds ago. */
function aLockOf(text: string, ageSeconds = 0): string {
  const path = join(aFolder(), 'lock');
  writeFileSync(path, text);
  const at = Date.now() / 1000 - ageSeconds;
  utimesSync(path, at, at);
  return path;
}

describe('takeLock()', () => {
  test('takes a lock once, and again after its release', () => {
    const path = join(aFolder(), 'folder', 'lock');

    const release = takeLock(path);
    const second = takeLock(path);
    release?.();
    const third = takeLock(path);

    expect([release, second, third].map((lock) => lock !== null)).toEqual([true, false, true]);
    expect(readFileSync(path, 'utf8')).toBe(String(process.pid));
  });

  test.each([
    ['a running process', String(process.ppid), 0, false],
    ['an ended process', String(aDeadProcess()), 0, true],
    ['a process that has held it for more than an hour', String(process.ppid), 3700, true],
    ['an earlier process with the number of this one', String(process.pid), 0, true],
    ['an unknown process, just now', '', 0, false],
    ['an unknown process, a minute ago', '', 60, true],
  ])('of %s', (_, text, age, isTaken) => {
    const path = aLockOf(text, age);

    expect(takeLock(path) !== null).toBe(isTaken);
    expect(readdirSync(join(path, '..'))).toEqual(['lock']);
  });

  test('reports an unwritable path', () => {
    const path = join(aFolder({ taken: '' }), 'taken', 'lock');

    expect(() => takeLock(path)).toThrow('cannot be');
  });
});

describe('withLock()', () => {
  test('waits for the holder, and releases the lock even after an error', async () => {
    const path = join(aFolder(), 'lock');
    const release = takeLock(path);
    let waits = 0;
    const wait = () => Promise.resolve(void ((waits += 1) === 3 && release?.()));

    const failing = withLock({ wait }, path, () => Promise.reject(new Error('inside')));

    await expect(failing).rejects.toThrow('inside');
    expect(waits).toBe(3);
    expect(existsSync(path)).toBe(false);
  });
});
