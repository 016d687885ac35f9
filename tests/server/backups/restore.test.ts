import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { lockData } from '#db/engine/data-lock.ts';
import { openStore } from '#db/store.ts';
import { verifyBackup } from '#server/backups/backup-file.ts';
import { dropLeftovers } from '#server/backups/backups.ts';
import { databasePath } from '#server/config/config.ts';
import { replaceDatabase } from '#server/backups/restoring.ts';
import { deleteAccount } from '#server/account/delete-account.ts';
import { hideOperator } from '#server/operator/hide-operator.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import { NOW, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  MIGRATIONS,
  aDataDir,
  anEnrolledDevice,
  publishAndKeep,
  submit,
} from '#tests/support/board/context.ts';
import { exportOf } from '#tests/support/board/public-log.ts';
import { aBackedUpBoard, aKilledCopy, idOf, restoreInto } from '#tests/support/board/restoring.ts';
import { spoilTable } from '#tests/support/http/spoilt-page.ts';

/** The operators on the board of a folder, and their visibility. */
function seenIn(dataDir: string) {
  const db = new Database(databasePath({ dataDir }), { readonly: true });
  const rows = db
    .prepare('SELECT codename, privacy_mode, data_opt_out, hidden_at IS NOT NULL FROM operators')
    .raw()
    .all() as [string, string, number, number][];
  db.close();
  return rows;
}
const namesIn = (dataDir: string) => seenIn(dataDir).map(([codename]) => codename);
const jsonOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout) as Record<string, unknown>;

const ALL = ['ada', 'bob', 'carol', 'dan'];
const OPEN = ['pseudonymous', 0, 0] as const;

describe('restore', () => {
  test('makes a backup the board of an empty folder, and leaves the backup unchanged', async () => {
    const { file, made } = await aBackedUpBoard();
    const before = readFileSync(file);
    const dataDir = join(aDataDir(), 'new');

    const restored = await restoreInto(dataDir, file, '--json');

    expect(restored.status).toBe(0);
    expect(jsonOf(restored)).toMatchObject({ ...made.head, replaced: null, missing: null });
    expect(restored.stderr).toMatch(/deleted.*after the backup/i);
    expect(verifyBackup(databasePath({ dataDir })).head).toEqual(made.head);
    expect(namesIn(dataDir)).toEqual(ALL);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(join(file, '..'))).toEqual(['backup.sqlite']);
  });

  test('prints the end of the log in the form that verify --head accepts', async () => {
    const { file, made } = await aBackedUpBoard();
    const { stdout } = await restoreInto(join(aDataDir(), 'new'), file);
    const { log_index = 0, entry_hash = '' } = made.head ?? {};
    expect(stdout.split('\n')).toContain(`head ${log_index}:${entry_hash}`);
  });

  test('replaces a board only with --force, and keeps all of it', async () => {
    const { ctx, file, made } = await aBackedUpBoard();
    await submit(ctx, await anEnrolledDevice(ctx, 'eve'), bucketsOfDays(4, '2026-03-01'));
    const head = ctx.store.log.head();
    const lost = (head?.index ?? 0) - (made.head?.log_index ?? 0);
    const dataDir = aKilledCopy(ctx);

    const refused = await restoreInto(dataDir, file);
    expect(refused.status).toBe(3);
    expect(refused.stderr).toContain('To replace it, add --force');
    expect(namesIn(dataDir)).toEqual([...ALL, 'eve']);

    const restored = await restoreInto(dataDir, file, '--force', '--json');
    const { replaced, missing } = jsonOf(restored);
    expect(missing).toBe(lost);
    expect(restored.stderr).toContain(`missing from the backup: ${lost}.`);
    expect(namesIn(dataDir)).toEqual(ALL);
    expect(verifyBackup(String(replaced)).head).toMatchObject({ entry_hash: head?.entry_hash });
    const left = ['backups', 'opbench.sqlite', 'server.lock'];
    expect(readdirSync(dataDir).filter((name) => !name.includes('-'))).toEqual(left);
  });

  test('is rejected while a server runs', async () => {
    const { file } = await aBackedUpBoard();
    const dataDir = aDataDir();
    const lock = lockData(dataDir);
    onTestFinished(() => lock?.release());

    const { status, stderr } = await restoreInto(dataDir, file);

    expect([status, stderr]).toEqual([3, expect.stringContaining('Stop it, then restore')]);
    expect(existsSync(databasePath({ dataDir }))).toBe(false);
  });

  test.each([
    [
      'a text file',
      (path: string) => writeFileSync(path, 'no database'),
      2,
      "not a board's database",
    ],
    ['another database', anotherDatabase, 2, "not a board's database"],
    ['a changed byte', damage, 3, 'is incomplete or damaged'],
    [
      'a spoilt page',
      (path: string) => spoilTable(path, 'log_entries'),
      3,
      'is incomplete or damaged',
    ],
    ['a truncated file', halve, 2, 'Cannot read'],
    ['a board with a trigger', addTrigger, 3, 'the trigger evil'],
    ['a newer board', makeNewer, 1, 'a newer version of Opbench'],
  ])('of %s changes nothing', async (_, spoil, code, told) => {
    const { ctx, file } = await aBackedUpBoard();
    spoil(file);
    const dataDir = aKilledCopy(ctx);
    const before = readdirSync(dataDir);

    const { status, stderr } = await restoreInto(dataDir, file, '--force');

    expect(stderr).toContain(told);
    expect(stderr).toContain(file);
    expect(status).toBe(code);
    const now = readdirSync(dataDir).filter((name) => name !== 'server.lock');
    expect(now.filter((name) => !name.endsWith('-shm'))).toEqual(before);
    expect(namesIn(dataDir)).toEqual(ALL);
  });
});

function anotherDatabase(path: string): void {
  const db = new Database(`${path}.other`);
  db.exec('CREATE TABLE notes (text)');
  db.close();
  copyFileSync(`${path}.other`, path);
}

/** Changes a byte in the log, which SQLite cannot notice. */
function damage(path: string): void {
  const db = new Database(path, { readonly: true });
  const salt = db.prepare('SELECT salt FROM packed_entries WHERE log_index = 4').pluck().get();
  db.close();
  const bytes = readFileSync(path);
  const places = (from: number): number[] => {
    const at = bytes.indexOf(salt as Buffer, from);
    return at < 0 ? [] : [at, ...places(at + 1)];
  };
  // Pages may contain it twice, of which one counts.
  for (const at of places(0)) bytes[at] = (bytes[at] as number) ^ 1;
  writeFileSync(path, bytes);
}

function halve(path: string): void {
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.subarray(0, 4096 * Math.floor(bytes.length / 8192)));
}

/** The trigger would empty the board with the first entry that a restore adds. */
function addTrigger(path: string): void {
  const db = new Database(path);
  db.exec(`CREATE TRIGGER evil AFTER INSERT ON audit_log BEGIN DELETE FROM operators; END`);
  db.close();
}

function makeNewer(path: string): void {
  const db = new Database(path);
  db.exec(`INSERT INTO migrations VALUES ('9999-of-tomorrow.sql', '${NOW}')`);
  db.close();
}

describe('what happened after the backup', () => {
  test('is applied again from the replaced board', async () => {
    const { ctx, file } = await aBackedUpBoard();
    const { public_id = '' } = ctx.store.operators.byCodename('ada') ?? {};
    await deleteAccount(ctx, idOf(ctx, 'ada'), 'ada');
    await deleteAccount(ctx, idOf(ctx, 'dan'), 'dan');
    const bob = idOf(ctx, 'bob');
    ctx.store.transaction(() => changeVisibility(ctx, bob, { privacy_mode: 'private' }));
    const carol = idOf(ctx, 'carol');
    ctx.store.transaction(() => changeVisibility(ctx, carol, { data_opt_out: 1 }));
    hideOperator(ctx, { kind: 'hide', name: 'carol', reason: 'Offensive name' });
    const dataDir = aKilledCopy(ctx);

    const restored = await restoreInto(dataDir, file, '--force', '--json');

    expect(jsonOf(restored)).toMatchObject({ erased: 2, hidden: 2 });
    expect(seenIn(dataDir)).toEqual([
      ['bob', 'private', 0, 0],
      ['carol', 'pseudonymous', 1, 1],
    ]);
    verifyBackup(databasePath({ dataDir }));
    const text = readFileSync(databasePath({ dataDir }));
    const store = openStore({
      path: databasePath({ dataDir }),
      migrations: MIGRATIONS,
      now: () => new Date(NOW),
    });
    onTestFinished(() => store.close());
    expect(store.log.lastOfKind('hide')?.payload?.toString()).toContain('Offensive name');
    expect(text.includes(public_id)).toBe(false);
  });

  test('deletes accounts again according to a copy of the public log', async () => {
    const { ctx, file } = await aBackedUpBoard();
    await deleteAccount(ctx, idOf(ctx, 'ada'), 'ada');
    publishAndKeep(ctx);
    const log = join(aDataDir(), 'log.ndjson');
    writeFileSync(log, exportOf(ctx).join(''));
    const dataDir = aDataDir();

    const restored = await restoreInto(dataDir, file, '--log', log, '--json');

    expect(jsonOf(restored)).toMatchObject({ erased: 1, missing: 1 });
    expect(namesIn(dataDir)).toEqual(['bob', 'carol', 'dan']);
  });

  test('is accepted only from a log that its board signed', async () => {
    const { ctx, file } = await aBackedUpBoard();
    await deleteAccount(ctx, idOf(ctx, 'ada'), 'ada');
    publishAndKeep(ctx);
    const log = join(aDataDir(), 'log.ndjson');
    writeFileSync(log, exportOf(ctx).join('').replace('[[', '[[1,1],['));
    const dataDir = aDataDir();

    const { status, stderr } = await restoreInto(dataDir, file, '--log', log);

    expect([status, stderr]).toEqual([3, expect.stringContaining('not as the board wrote it')]);
    expect(existsSync(databasePath({ dataDir }))).toBe(false);
  });

  test('is not taken from another board', async () => {
    const { file } = await aBackedUpBoard();
    const other = await aBackedUpBoard();
    await deleteAccount(other.ctx, idOf(other.ctx, 'ada'), 'ada');
    const dataDir = aKilledCopy(other.ctx);

    const restored = await restoreInto(dataDir, file, '--force', '--json');

    expect(jsonOf(restored)).toMatchObject({ erased: 0, missing: null });
    expect(restored.stderr).toContain('another board');
    expect(namesIn(dataDir)).toEqual(ALL);
  });

  test('cannot be read from a damaged board, whose files are preserved', async () => {
    const { ctx, file } = await aBackedUpBoard();
    // From here on, everything is in the write-ahead log, which would damage any other database.
    ctx.store.erasure.checkpoint();
    await submit(ctx, await anEnrolledDevice(ctx, 'eve'), bucketsOfDays(4, '2026-03-01'));
    const dataDir = aKilledCopy(ctx);
    const database = databasePath({ dataDir });
    const wal = readFileSync(`${database}-wal`);
    writeFileSync(database, 'x'.repeat(8192));

    const restored = await restoreInto(dataDir, file, '--force', '--json');

    const replaced = String(jsonOf(restored)['replaced']);
    expect(restored.stderr).toContain('cannot be read');
    expect(readFileSync(`${replaced}-wal`).equals(wal)).toBe(true);
    expect(namesIn(dataDir)).toEqual(ALL);
    verifyBackup(database);
  });
});

test('keeps nothing of an empty log', async () => {
  const { file } = await aBackedUpBoard();
  const dataDir = aDataDir();
  const database = databasePath({ dataDir });
  writeFileSync(database, 'x'.repeat(8192));
  writeFileSync(`${database}-wal`, '');

  const restored = await restoreInto(dataDir, file, '--force', '--json');

  const replaced = String(jsonOf(restored)['replaced']);
  expect([existsSync(replaced), existsSync(`${replaced}-wal`)]).toEqual([true, false]);
  verifyBackup(database);
});

test('killing a restore at any step leaves a whole board, the old one or the new one', async () => {
  const { ctx, file, made } = await aBackedUpBoard();
  await submit(ctx, await anEnrolledDevice(ctx, 'eve'), bucketsOfDays(4, '2026-03-01'));
  const hashes = { old: ctx.store.log.head()?.entry_hash, new: made.head?.entry_hash };
  const steps = ['', 'folded', 'kept', 'alone', 'replaced', 'undefined'];

  const found = steps.map((_, count) => {
    const dataDir = aKilledCopy(ctx);
    const database = databasePath({ dataDir });
    const draft = join(dataDir, 'restoring.sqlite');
    copyFileSync(file, draft);
    mkdirSync(join(dataDir, 'backups'));
    const kept = join(dataDir, 'backups', 'replaced-20260310T120000Z.sqlite');
    const swap = replaceDatabase({ draft, database, kept, isSound: true });
    let last = '';
    for (let step = 0; step < count; step += 1) last = String(swap.next().value);
    const atOnce = verifyBackup(database).head?.entry_hash;
    // As a starting server does.
    dropLeftovers(dataDir);
    expect(readdirSync(dataDir)).not.toContain('restoring.sqlite');
    expect(verifyBackup(database).head?.entry_hash).toBe(atOnce);
    return [last, atOnce];
  });

  const which = (step: string) => (['replaced', 'undefined'].includes(step) ? 'new' : 'old');
  expect(found).toEqual(steps.map((step) => [step, hashes[which(step)]]));
});

test('changes no operator whose visibility is the same on the replaced board', async () => {
  const { ctx, file } = await aBackedUpBoard();
  const dataDir = aKilledCopy(ctx);

  const restored = await restoreInto(dataDir, file, '--force', '--json');

  expect(jsonOf(restored)).toMatchObject({ erased: 0, hidden: 0, missing: 0 });
  expect(seenIn(dataDir)).toEqual(ALL.map((name) => [name, ...OPEN]));
});
