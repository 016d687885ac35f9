import { describe, expect, test } from 'vitest';
import { LogQuery } from '#core/contract/log.ts';
import { GENESIS_HASH, entryHash } from '#core/domain/log/log-entry.ts';
import { createEnrollmentCode } from '#server/device/create-enrollment-code.ts';
import { deleteAccount } from '#server/account/delete-account.ts';
import { enrollDevice } from '#server/device/enroll-device.ts';
import { withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { isCodenameFree } from '#server/operator/codenames.ts';
import { sha256 } from '#server/process/crypto.ts';
import { readLog } from '#server/public-log/log.ts';
import { DAY_MS, aDevice, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrollmentRequest,
  dumpOf,
  execute,
  query,
  submit,
} from '#tests/support/board/context.ts';
import { aDatabase } from '#tests/support/board/database.ts';
import { untilStored } from '#tests/support/board/publisher.ts';
import { EVE, aDeletionScene } from '#tests/support/board/deletion.ts';
import { refusal } from '#tests/support/http/refusal.ts';
import { tracesIn } from '#tests/support/http/traces.ts';

/** The public log. Recomputes each hash from the previous one. */
function verifiedLog(ctx: TestContext) {
  const { entries } = readLog(ctx, LogQuery.parse({}));
  let previous = GENESIS_HASH;
  for (const { log_index: index, kind, received_at, payload_digest, ...entry } of entries) {
    expect(entry.previous).toBe(previous);
    previous = entryHash({ index, kind, previous, received_at }, payload_digest, sha256);
    expect(entry.entry_hash).toBe(previous);
  }
  return entries;
}

describe('deleteAccount()', () => {
  test('leaves no trace in any file, and keeps the data of others', async () => {
    const { ctx, operator_id, pieces, publisher } = await aDeletionScene();
    const { dataDir } = ctx.config;
    const before = tracesIn(dataDir, pieces);
    const found = new Set(before.map((trace) => trace.split(' in ')[0]));
    expect([...found].sort()).toEqual(
      Object.keys(pieces)
        // Only the hash of the first is stored, and the log has the second compressed.
        .filter((name) => name !== 'cookie' && name !== 'public key as text')
        .sort(),
    );

    await deleteAccount(ctx, operator_id, EVE);

    expect(tracesIn(dataDir, pieces)).toEqual([]);
    await untilStored(ctx, publisher);
    expect(tracesIn(dataDir, pieces)).toEqual([]);
    expect(tracesIn(dataDir, { zoe: 'zoe' }).join()).toContain('texts');
    expect(ctx.publications.current()?.window('30d').total('yield')).toBe(1);
    const owned = Object.values(dumpOf(ctx)).flat() as { operator_id?: number }[];
    expect(owned.filter((row) => row.operator_id === operator_id)).toEqual([]);
  });

  test('overwrites leftovers of moved rows in the file', async () => {
    const { ctx, device, operator_id, pieces } = await aDeletionScene();
    const { dataDir } = ctx.config;
    // Without `secure_delete`, SQLite leaves a copy of a deleted row wherever it moved that row.
    execute(
      ctx,
      `PRAGMA secure_delete = OFF;
       UPDATE operators SET codename = 'abc', public_name = 'abc' WHERE id = ${operator_id};
       UPDATE operators SET codename = '${EVE}', public_name = '${EVE}' WHERE id = ${operator_id};
       CREATE TABLE moved (text TEXT);
       INSERT INTO moved VALUES ('${device.keyid}');
       DELETE FROM moved;`,
    );

    await deleteAccount(ctx, operator_id, EVE);

    expect(tracesIn(dataDir, pieces)).toEqual([]);
    expect(ctx.errors).toEqual([]);
    expect(query(ctx, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  });

  test('erases the log entries, keeps the chain valid, and records which entries were erased', async () => {
    const { ctx, zoe, operator_id } = await aDeletionScene();
    await submit(ctx, zoe, bucketsOfDays(1, '2026-03-09'));
    const before = verifiedLog(ctx);

    const { log_index } = await deleteAccount(ctx, operator_id, EVE);

    const after = verifiedLog(ctx);
    expect(after.slice(0, -1).map(({ entry_hash }) => entry_hash)).toEqual(
      before.map(({ entry_hash }) => entry_hash),
    );
    const erased = after.filter(({ salt }) => salt === null);
    expect(erased.map((entry) => [entry.log_index, entry.payload, entry.submission])).toEqual(
      [6, 7, 8, 9, 10].map((index) => [index, null, null]),
    );
    expect(after.at(-1)).toMatchObject({
      log_index,
      kind: 'erase',
      payload: '{"entries":[[6,10]]}',
    });
  });

  test.each(['', 'zoe', EVE.toUpperCase(), `${EVE} `])(
    'changes nothing for the confirmation "%s"',
    async (typed) => {
      const { ctx, operator_id } = await aDeletionScene();
      const before = dumpOf(ctx);

      await expect(deleteAccount(ctx, operator_id, typed)).rejects.toThrow(
        refusal('confirmation_mismatch'),
      );

      expect(dumpOf(ctx)).toEqual(before);
    },
  );

  test('reserves the names for 90 days', async () => {
    const { ctx, operator_id } = await aDeletionScene();

    await deleteAccount(ctx, operator_id, EVE);

    const isFree = (name: string) => isCodenameFree(ctx, name);
    expect([EVE, 'eve-was-called-so', 'somebody'].map(isFree)).toEqual([false, false, true]);
    ctx.clock.nowMs += 90 * DAY_MS;
    expect(isFree(EVE)).toBe(true);
  });

  test('adds no log entry for an account without log entries', async () => {
    const { ctx } = await aDeletionScene();
    const entries = verifiedLog(ctx).length;
    const made = { public_id: 'p', codename: 'newcomer', created_at: ctx.now().toISOString() };
    const operator = ctx.store.operators.add(made);

    expect(await deleteAccount(ctx, operator?.id ?? 0, 'newcomer')).toEqual({ log_index: null });

    expect(verifiedLog(ctx)).toHaveLength(entries);
    expect(ctx.store.operators.byCodename('newcomer')).toBeUndefined();
  });

  test('applies a concurrent request completely or not at all', async () => {
    const { ctx, device, operator_id, pieces } = await aDeletionScene();
    const { code } = createEnrollmentCode(ctx, operator_id);
    const request = await anEnrollmentRequest(ctx, await aDevice(), code);
    const [sent] = query<{ id: string }>(ctx, 'SELECT id FROM submissions ORDER BY log_index DESC');
    const caller = { operator_id, device_id: null };

    const outcomes = await Promise.allSettled([
      submit(ctx, device, bucketsOfDays(5, '2026-03-02')),
      withdrawSubmission(ctx, caller, sent?.id ?? ''),
      ctx.publications.publishNow({ hides: true }),
      deleteAccount(ctx, operator_id, EVE),
      deleteAccount(ctx, operator_id, EVE),
      submit(ctx, device, bucketsOfDays(5, '2026-03-03')),
      enrollDevice(ctx, request),
      ctx.publications.publishNow({ hides: true }),
    ]);

    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(refused.sort()).toEqual([
      'enrollment_code_invalid',
      'key_unknown',
      'key_unknown',
      'not_found',
      'not_found',
    ]);
    await ctx.publications.publishNow({ hides: true });
    expect(tracesIn(ctx.config.dataDir, pieces)).toEqual([]);
    expect(verifiedLog(ctx).filter(({ kind }) => kind === 'erase')).toHaveLength(1);
    expect(query(ctx, 'PRAGMA foreign_key_check')).toEqual([]);
  });
});

test('deleting an operator deletes its rows in every table', () => {
  const db = aDatabase();
  const references = db
    .prepare(
      `SELECT t.name, f.on_delete FROM pragma_table_list t, pragma_foreign_key_list(t.name, 'main') f
       WHERE t.schema = 'main' AND f."table" = 'operators'`,
    )
    .all() as { name: string; on_delete: string }[];
  const columns = db
    .prepare(
      `SELECT t.name FROM pragma_table_list t, pragma_table_info(t.name) c
       WHERE t.schema = 'main' AND t.type = 'table' AND c.name = 'operator_id'`,
    )
    .pluck()
    .all() as string[];

  expect([...new Set(references.map(({ name }) => name))].sort()).toEqual(columns.sort());
  const staying = references.filter(({ on_delete }) => on_delete !== 'CASCADE');
  expect(staying.map(({ name, on_delete }) => [name, on_delete]).sort()).toEqual([
    ['audit_log', 'SET NULL'],
    ['contact_answers', 'SET NULL'],
    ['invitations', 'SET NULL'],
    ['log_entries', 'SET NULL'],
    ['packed_entries', 'SET NULL'],
  ]);
});
