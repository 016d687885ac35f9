import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { MakeBackup } from '#server/backups/backup-thread.ts';
import { ScheduledBackups } from '#server/backups/scheduled-backups.ts';
import { readBackups, startBackup } from '#server/admin-pages/backups.ts';
import { audit } from '#server/process/admin-actions.ts';
import { BackupError } from '#server/process/backup-error.ts';
import { anOperator, aDataDir, testContext } from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

/** A board whose backups end when the test says so. */
function aBoard() {
  const backup = { folder: aDataDir(), keep: 3, atMinutes: 0 };
  const ctx = testContext({ backup });
  const by = { operator_id: anOperator(ctx, 'ada').id, via: 'page' } as const;
  const held = Promise.withResolvers<undefined>();
  let made = 0;
  const make: MakeBackup = async ({ path }) => {
    made += 1;
    await held.promise;
    return { path, bytes: 2_000_000, head: null, operators: 0 };
  };
  const failures: unknown[] = [];
  const { store, now, logger } = ctx;
  const backups = new ScheduledBackups({
    ...backup,
    database: join(ctx.config.dataDir, 'opbench.sqlite'),
    make,
    record: (subject, madeAt, actor) => {
      const about = { subject, operator_id: null, reason: null };
      audit(store, { action: 'backup', ...about, now: madeAt, by: actor });
    },
    onFailure: (error) => void failures.push(error),
    now,
    steadyMs: () => ctx.clock.nowMs,
    logger,
  });
  return {
    ctx: { ...ctx, backups },
    by,
    held,
    failures,
    ended: () => backups.makeNow(),
    made: () => made,
  };
}

const actionsIn = ({ store }: ReturnType<typeof testContext>) =>
  store.auditLog.newest(9).map(({ action, actor, via }) => `${action} ${actor} ${via}`);

test('starts a backup without waiting for it, once, under the name of the admin', async () => {
  const { ctx, by, held, ended, made } = aBoard();
  expect(readBackups(ctx)).toMatchObject({ runningSince: null, last: null, keep: 3 });

  expect(startBackup(ctx, by)).toBe('started');
  expect(startBackup(ctx, by)).toBe('running');
  expect(readBackups(ctx)).toMatchObject({ runningSince: ctx.now().toISOString(), last: null });
  expect([made(), actionsIn(ctx)]).toEqual([1, ['backup_start ada page']]);

  const end = ended();
  held.resolve(undefined);
  await end;
  expect(readBackups(ctx)).toMatchObject({ runningSince: null, last: { failure: null } });
  expect(readBackups(ctx)?.last?.text).toContain('MB');
  expect([made(), actionsIn(ctx)]).toEqual([1, ['backup ada page', 'backup_start ada page']]);
});

test('shows and announces why a backup failed', async () => {
  const { ctx, by, held, failures, ended } = aBoard();
  startBackup(ctx, by);
  const end = ended();
  held.reject(new BackupError('disk', 'The disk of /backups is full'));
  await end;

  expect(readBackups(ctx)?.last?.failure).toBe('The disk of /backups is full');
  expect([failures.length, actionsIn(ctx)]).toEqual([1, ['backup_start ada page']]);
});

test('without a folder, says what to set and records nothing', () => {
  const ctx = testContext();
  const by = { operator_id: anOperator(ctx, 'ada').id, via: 'page' } as const;

  expect(readBackups(ctx)).toBe(null);
  expect(() => startBackup(ctx, by)).toThrow(refusal('state_conflict'));
  expect(() => startBackup(ctx, by)).toThrow('BACKUP_DIR');
  expect(actionsIn(ctx)).toEqual([]);
});
