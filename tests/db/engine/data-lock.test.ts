import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockData } from '#db/engine/data-lock.ts';
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
