/** What a restore must not bring back, and what it reports if there is no evidence. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { inspectDatabase } from '#db/engine/inspection.ts';
import { type Store, openStore } from '#db/store.ts';
import { verifyBackup, writeBackup } from '#server/backups/backup-file.ts';
import { decideSubmission } from '#server/submission/decide-submission.ts';
import { deleteAccount } from '#server/account/delete-account.ts';
import { hideOperator } from '#server/operator/hide-operator.ts';
import { issueApiKey, revokeApiKey } from '#server/identity/api-keys.ts';
import { restoreSubmission, withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { revokeDevice } from '#server/device/revoke-device.ts';
import { databasePath } from '#server/config/config.ts';
import { factsOfReplaced } from '#server/backups/later-facts.ts';
import { loggedState } from '#server/counting/submission-state.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import { NOW, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  MIGRATIONS,
  type TestContext,
  aDataDir,
  anEnrolledDevice,
  publishAndKeep,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { exportOf } from '#tests/support/board/public-log.ts';
import { aBackedUpBoard, aKilledCopy, idOf, restoreInto } from '#tests/support/board/restoring.ts';
import { idsOf, renewed, replace } from '#tests/support/board/replacing.ts';
import { spoilTable } from '#tests/support/http/spoilt-page.ts';

const jsonOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout) as Record<string, unknown>;

describe('what was revoked or withdrawn after the backup', () => {
  test('is revoked or withdrawn again when the board is replaced, and no one is signed in', async () => {
    const ctx = testContext();
    const [stolen, lost] = [await anEnrolledDevice(ctx, 'ada'), await anEnrolledDevice(ctx, 'ada')];
    await submit(ctx, stolen, bucketsOfDays(3, '2026-03-01'));
    const bob = await anEnrolledDevice(ctx, 'bob');
    const [held, taken] = [
      (await submit(ctx, bob, bucketsOfDays(2, '2026-03-01'))).answer.id,
      (await submit(ctx, bob, bucketsOfDays(2, '2026-03-05'))).answer.id,
    ];
    await ctx.sessions.start(idOf(ctx, 'ada'));
    issueApiKey(ctx.store, { now: ctx.now(), label: 'x', per_minute: 60 });
    const file = join(aDataDir(), 'backup.sqlite');
    writeBackup(databasePath(ctx.config), file);

    const ada = { operator_id: idOf(ctx, 'ada'), device_id: null };
    for (const [device, reason] of [
      [stolen, 'compromised'],
      [lost, 'revoked'],
    ] as const) {
      const { device_id = 0 } = ctx.store.devices.key(device.keyid) ?? {};
      revokeDevice(ctx, ada, ctx.store.devices.byId(device_id)?.public_id ?? '', reason);
    }
    const [row] = ctx.store.apiKeys.all();
    revokeApiKey(ctx.store, row?.id ?? '', ctx.now());
    decideSubmission(ctx, { kind: 'hold', id: held, reason: 'Looks wrong' });
    const caller = { operator_id: idOf(ctx, 'bob'), device_id: null };
    await withdrawSubmission(ctx, caller, taken);
    const dataDir = aKilledCopy(ctx);

    const restored = await restoreInto(dataDir, file, '--force', '--json');

    expect(jsonOf(restored)).toMatchObject({ revoked: 3, decided: 2, unconfirmed: [] });
    expect(restored.stderr).toContain('sign in');
    const store = aStoreOf(dataDir);
    const reasons = [stolen, lost, bob].map(({ keyid }) => reasonOf(store, keyid));
    expect(reasons).toEqual(['compromised', 'revoked', null]);
    expect(store.apiKeys.all().map(({ revoked_at }) => revoked_at !== null)).toEqual([true]);
    expect([held, taken].map((id) => store.submissions.byId(id)?.state)).toEqual([
      'held',
      'withdrawn',
    ]);
    expect(store.moderation.decision(held)?.payload).toContain('Looks wrong');
    expect(store.buckets.totals(ada.operator_id).total).toBe(0);
    expect(store.sessions.ofOperator(ada.operator_id)).toEqual([]);
    verifyBackup(databasePath({ dataDir }));
  });

  test('includes submissions of devices that a compromised device had replaced', async () => {
    const ctx = testContext();
    const [old, own] = [await anEnrolledDevice(ctx, 'ada'), await anEnrolledDevice(ctx, 'ada')];
    await submit(ctx, old, bucketsOfDays(3, '2026-03-01'));
    await submit(ctx, own, bucketsOfDays(3, '2026-02-01'));
    const file = join(aDataDir(), 'backup.sqlite');
    writeBackup(databasePath(ctx.config), file);
    const again = await replace(ctx, old, { by: await renewed(own) });
    const last = await replace(ctx, again);
    const { operator_id, public_id } = idsOf(ctx, last);
    revokeDevice(ctx, { operator_id, device_id: null }, public_id, 'compromised');
    const dataDir = aKilledCopy(ctx);

    await restoreInto(dataDir, file, '--force', '--json');

    const store = aStoreOf(dataDir);
    expect([old, own].map(({ keyid }) => reasonOf(store, keyid))).toEqual([
      'compromised',
      'compromised',
    ]);
    expect(store.buckets.totals(operator_id).total).toBe(0);
  });

  test('is applied for devices and submissions from a copy of the public log', async () => {
    const { ctx, file } = await aBackedUpBoard();
    const operator_id = idOf(ctx, 'ada');
    const [device] = ctx.store.devices.ofOperator(operator_id);
    revokeDevice(ctx, { operator_id, device_id: null }, device?.public_id ?? '', 'compromised');
    const log = aPublicLog(ctx);
    const dataDir = aDataDir();

    const restored = await restoreInto(dataDir, file, '--log', log, '--json');

    expect(jsonOf(restored)).toMatchObject({ revoked: 1, unconfirmed: ['dan'] });
    expect(restored.stderr).toContain('API keys revoked');
    expect(reasonOf(aStoreOf(dataDir), device?.keyid ?? '')).toBe('compromised');
  });

  test('excludes undone withdrawals, but includes other decisions', async () => {
    const ctx = testContext();
    const device = await anEnrolledDevice(ctx, 'ada');
    const days = ['2026-02-01', '2026-02-05', '2026-02-09', '2026-02-13'];
    const ids: string[] = [];
    for (const day of days) ids.push((await submit(ctx, device, bucketsOfDays(2, day))).answer.id);
    const [undone = '', again = '', rejected = '', before = ''] = ids;
    const caller = { operator_id: idOf(ctx, 'ada'), device_id: null };
    const withdraw = (id: string) => withdrawSubmission(ctx, caller, id);
    const restore = (id: string) => restoreSubmission(ctx, caller, id);
    await withdraw(before);
    const file = join(aDataDir(), 'backup.sqlite');
    writeBackup(databasePath(ctx.config), file);
    for (const id of [undone, again, rejected]) await withdraw(id);
    decideSubmission(ctx, { kind: 'reject', id: rejected, reason: 'Not usage' });
    for (const id of [undone, again, rejected, before]) await restore(id);
    decideSubmission(ctx, { kind: 'reject', id: before, reason: 'Not usage either' });
    await withdraw(again);
    const dataDir = aKilledCopy(ctx);

    const restored = await restoreInto(dataDir, file, '--force', '--json');

    expect(jsonOf(restored)).toMatchObject({ decided: 3 });
    const store = aStoreOf(dataDir);
    const states = [undone, again, rejected, before].map((id) => store.submissions.byId(id)?.state);
    expect(states).toEqual(['accepted', 'withdrawn', 'rejected', 'withdrawn']);
    const place = store.submissions.byId(before);
    const logged = loggedState(store, place as NonNullable<typeof place>);
    expect(logged).toMatchObject({ decided: 'rejected', isWithdrawn: true });
    verifyBackup(databasePath({ dataDir }));
  });

  test('is reported if no evidence exists', async () => {
    const { file } = await aBackedUpBoard();
    const { stdout, stderr } = await restoreInto(aDataDir(), file, '--json');

    expect(stderr).toMatch(/valid again: .*device keys and API keys/);
    expect(jsonOf({ stdout })).toMatchObject({ unconfirmed: null, revoked: 0 });
  });
});

describe('an account that may have been deleted after the backup', () => {
  test('is reported if the log cannot know it, because it had no entry in the backup', async () => {
    const { ctx, file } = await aBackedUpBoard();
    await submit(ctx, await anEnrolledDevice(ctx, 'dan'), bucketsOfDays(4, '2026-03-01'));
    await deleteAccount(ctx, idOf(ctx, 'dan'), 'dan');

    const restored = await restoreInto(aDataDir(), file, '--log', aPublicLog(ctx), '--json');

    expect(jsonOf(restored)).toMatchObject({ erased: 0, unconfirmed: ['dan'] });
    expect(restored.stderr).toContain('deleted after the backup: 1 (dan). Ask');
  });

  test('is reported if the replaced board knew it by another name, or its log diverged', async () => {
    const { ctx, file } = await aBackedUpBoard();
    const dan = idOf(ctx, 'dan');
    const db = new Database(databasePath(ctx.config));
    db.prepare(`UPDATE operators SET codename = 'danny' WHERE id = ?`).run(dan);
    db.close();
    await deleteAccount(ctx, dan, 'danny');

    const renamed = await restoreInto(aKilledCopy(ctx), file, '--force', '--json');
    expect(jsonOf(renamed)).toMatchObject({ erased: 0, unconfirmed: ['dan'] });

    const other = aDataDir();
    copyFileSync(file, databasePath({ dataDir: other }));
    hideOperator(aBoardIn(other), { kind: 'hide', name: 'ada', reason: 'Offensive name' });
    await deleteAccount(ctx, idOf(ctx, 'bob'), 'bob');
    const parted = join(aDataDir(), 'parted.sqlite');
    writeBackup(databasePath({ dataDir: other }), parted);
    const dataDir = aKilledCopy(ctx);

    const restored = await restoreInto(dataDir, parted, '--force', '--json');
    expect(restored.stderr).toContain('share only their first');
    expect(jsonOf(restored)).toMatchObject({ erased: 1, unconfirmed: ['dan'] });
  });
});

describe('an unreadable replaced board', () => {
  test.each(['operators', 'api_keys', 'secrets'])(
    'with a damaged table %s contributes everything else',
    async (table) => {
      const { ctx, file } = await aBackedUpBoard();
      await deleteAccount(ctx, idOf(ctx, 'ada'), 'ada');
      const bob = idOf(ctx, 'bob');
      ctx.store.transaction(() => changeVisibility(ctx, bob, { privacy_mode: 'private' }));
      const dataDir = aKilledCopy(ctx);
      spoilTable(databasePath({ dataDir }), table);

      const restored = await restoreInto(dataDir, file, '--force', '--json');

      expect(restored.stderr).toContain('The previous board is damaged');
      expect(jsonOf(restored)).toMatchObject({ erased: 1, hidden: 1 });
      const names = aStoreOf(dataDir)
        .operators.all()
        .map(({ codename }) => codename);
      expect(names).toEqual(['bob', 'carol', 'dan']);
    },
  );

  test('with a damaged log is not treated as one without deletions', async () => {
    const { ctx, file } = await aBackedUpBoard();
    const bob = idOf(ctx, 'bob');
    ctx.store.transaction(() => changeVisibility(ctx, bob, { privacy_mode: 'private' }));
    await deleteAccount(ctx, idOf(ctx, 'dan'), 'dan');
    const dataDir = aKilledCopy(ctx);
    spoilTable(databasePath({ dataDir }), 'log_entries');

    const restored = await restoreInto(dataDir, file, '--force', '--json');

    expect(jsonOf(restored)).toMatchObject({ hidden: 1, unconfirmed: ['dan'] });
  });

  test('that is only temporarily unreadable is not replaced', async () => {
    const { ctx, file } = await aBackedUpBoard();
    const database = databasePath(ctx.config);
    const backup = inspectDatabase(file);
    onTestFinished(backup.close);
    const passing = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_READ' });
    const flaky = {
      ...backup,
      head: () => {
        throw passing;
      },
    };

    expect(() => factsOfReplaced(database, flaky)).toThrow(
      expect.objectContaining({
        fault: 'disk',
        message: expect.stringContaining('cannot be read (disk'),
      }),
    );
  });
});

function aBoardIn(dataDir: string) {
  return { store: aStoreOf(dataDir), now: () => new Date(NOW) };
}

function aStoreOf(dataDir: string): Store {
  const path = databasePath({ dataDir });
  const store = openStore({ path, migrations: MIGRATIONS, now: () => new Date(NOW) });
  onTestFinished(() => store.close());
  return store;
}

function reasonOf(store: Store, keyid: string) {
  const { device_id = 0 } = store.devices.key(keyid) ?? {};
  return store.devices.byId(device_id)?.revoked_reason;
}

function aPublicLog(ctx: TestContext): string {
  publishAndKeep(ctx);
  const log = join(aDataDir(), 'log.ndjson');
  writeFileSync(log, exportOf(ctx).join(''));
  return log;
}
