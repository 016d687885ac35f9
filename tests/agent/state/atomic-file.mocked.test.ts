import { fsyncSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { writePrivate } from '#agent/state/atomic-file.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

/** A file system that writes at most 10 characters at a time. */
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return {
    ...fs,
    fsyncSync: vi.fn(fs.fsyncSync),
    writeSync: (file: number, text: string) => fs.writeSync(file, text.slice(0, 10)),
  };
});

describe('writePrivate()', () => {
  test('writes the whole text, and syncs the file and its folder', () => {
    const path = join(aFolder(), 'folder', 'file.json');

    writePrivate(path, 'x'.repeat(100));

    expect(readFileSync(path, 'utf8')).toBe('x'.repeat(100));
    expect(fsyncSync).toHaveBeenCalledTimes(2);
  });

  test('leaves no temporary file if it cannot write', () => {
    const folder = aFolder({ 'taken/file': '' });

    expect(() => writePrivate(join(folder, 'taken'), 'text')).toThrow('cannot be written');
    expect(readdirSync(folder)).toEqual(['taken']);
  });
});
