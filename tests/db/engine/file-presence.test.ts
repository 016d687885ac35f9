import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filePresence } from '#db/engine/file-presence.ts';
import { openStore } from '#db/store.ts';
import { NOW } from '#tests/support/board/builders.ts';
import { MIGRATIONS, aDataDir } from '#tests/support/board/context.ts';

function aStore() {
  const path = join(aDataDir(), 'board.sqlite');
  const store = openStore({ path, migrations: MIGRATIONS, now: () => new Date(NOW) });
  return { path, store };
}

test('notices after a second that a file was replaced, removed or put back', () => {
  const { path, store } = aStore();
  store.close();
  let ms = 0;
  const confirm = filePresence(path, () => ms);
  const moved = expect.objectContaining({ code: 'SQLITE_READONLY_DBMOVED' });
  const later = () => {
    ms += 1_000;
    return confirm;
  };
  expect(later()).not.toThrow();

  copyFileSync(path, `${path}.other`);
  renameSync(path, `${path}.kept`);
  renameSync(`${path}.other`, path);
  ms += 999;
  expect(confirm).not.toThrow();
  ms += 1;
  expect(confirm).toThrow(moved);
  rmSync(path);
  expect(later()).toThrow(moved);
  renameSync(`${path}.kept`, path);
  expect(later()).not.toThrow();
});

test('considers a database in memory always present', () => {
  expect(filePresence(':memory:')).not.toThrow();
});
