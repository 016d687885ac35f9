import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifyBackup } from '#server/backups/backup-file.ts';
import { backupThread } from '#server/backups/backup-thread.ts';
import { databasePath } from '#server/config/config.ts';
import { aDataDir, anOperator, testContext } from '#tests/support/board/context.ts';

const SOURCE = new URL('../../../src/server/backups/backup-worker.ts', import.meta.url);

function aRequest() {
  const ctx = testContext();
  anOperator(ctx, 'ada');
  const folder = aDataDir();
  return {
    folder,
    request: { database: databasePath(ctx.config), path: join(folder, 'b.sqlite') },
  };
}

test('makes a verified backup of a board that is open', async () => {
  const { request } = aRequest();

  const { operators, bytes } = await backupThread(SOURCE)(request, new AbortController().signal);

  expect(operators).toBe(1);
  expect(bytes).toBeGreaterThan(0);
  expect(verifyBackup(request.path).operators).toBe(1);
});

test('reports why there is none, in words for the admin', async () => {
  const { request, folder } = aRequest();
  const make = backupThread(SOURCE);
  const { signal } = new AbortController();
  const isFor = (fields: object) => ({ ...request, ...fields });

  await expect(make(isFor({ path: join(folder, 'none', 'b.sqlite') }), signal)).rejects.toThrow(
    'its folder cannot be created, or was removed in the meantime',
  );
  writeFileSync(join(folder, 'text'), 'not a database');
  await expect(make(isFor({ database: join(folder, 'text') }), signal)).rejects.toMatchObject({
    name: 'BackupError',
  });
  mkdirSync(join(folder, 'b.sqlite'));
  await expect(make(request, signal)).rejects.toThrow('already exists');
});

test('leaves no file if it is aborted', async () => {
  const { request, folder } = aRequest();
  const ending = new AbortController();
  const made = backupThread(SOURCE)(request, ending.signal);
  ending.abort();

  await expect(made).rejects.toThrow();
  expect(readdirSync(folder)).toEqual([]);
  expect(existsSync(request.path)).toBe(false);
});
