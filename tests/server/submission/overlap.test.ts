import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { CorpusQuery } from '#core/contract/corpus.ts';
import { RecordsQuery } from '#core/contract/operators.ts';
import { deleteAccount } from '#server/account/delete-account.ts';
import { decideSubmission } from '#server/submission/decide-submission.ts';
import { revokeDevice } from '#server/device/revoke-device.ts';
import { submitRecords } from '#server/submission/submit-records.ts';
import { trySnapshot } from '#server/submission/submit-snapshot.ts';
import { withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { readCorpus } from '#server/board/corpus.ts';
import { readOperatorRecords } from '#server/board/operator-records.ts';
import { databasePath } from '#server/config/config.ts';
import type { Caller } from '#core/schema/account.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import {
  BASE_URL,
  DAY_MS,
  aBucket,
  aPayload,
  aRecord,
  bucketsOfDays,
} from '#tests/support/board/builders.ts';
import {
  type TestContext,
  aDataDir,
  anEnrolledDevice,
  execute,
  publishAndKeep,
  query,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { editCounts } from '#tests/support/board/editable-counts.ts';
import { fingerprintOfResponses } from '#tests/support/board/fingerprints.ts';
import { TWO_DEVICES, stretch } from '#tests/support/board/overlap.ts';
import { exportOf, verify } from '#tests/support/board/public-log.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { aBoardOf, verified } from '#tests/support/board/whole-board.ts';

const CALLER = { operator_id: 1, device_id: null } as unknown as Caller;
const DAY = '2026-03-01';

/** Ada with two devices that share responses, and Bob with one. */
async function aScene() {
  const ctx = testContext();
  const devices = [await anEnrolledDevice(ctx, 'ada'), await anEnrolledDevice(ctx, 'ada')] as const;
  const first = await submit(
    ctx,
    devices[0],
    TWO_DEVICES.map((day) => day.first),
  );
  const second = await submit(
    ctx,
    devices[1],
    TWO_DEVICES.map((day) => day.second),
  );
  await submit(ctx, await anEnrolledDevice(ctx, 'bob'), bucketsOfDays(9, '2026-03-01'));
  return { ctx, devices, first: first.answer, second: second.answer };
}

/** Counted input, by day. */
function inputs(ctx: TestContext): number[] {
  const rows = query<{ input: number }>(
    ctx,
    'SELECT sum(input) AS input FROM buckets WHERE operator_id = 1 AND counts = 1 GROUP BY day',
  );
  return rows.map(({ input }) => input);
}

/** Changes the counts as if fingerprints had never been compared. */
const IGNORED = `UPDATE buckets SET counts = 1, input = coalesce(stated_input, input),
  output = coalesce(stated_output, output), cache_write = coalesce(stated_cache_write, cache_write),
  cache_read = coalesce(stated_cache_read, cache_read), stated_input = NULL, stated_output = NULL,
  stated_cache_write = NULL, stated_cache_read = NULL WHERE operator_id = 1`;

function fileOf(ctx: TestContext): Buffer {
  const db = new Database(databasePath(ctx.config), { readonly: true });
  const database = db.serialize();
  db.close();
  // As a single file, without a write-ahead log.
  return database.fill(1, 18, 20);
}

test('responses that two devices of an account report count once on the board', async () => {
  const { ctx } = await aScene();

  // On the third kind of day, a device has 13 of 20 responses, of which 6 are the same as the other's.
  expect(inputs(ctx)).toEqual(TWO_DEVICES.map(({ responses }) => 100 * responses));
});

test('counts of two accounts are never compared', async () => {
  const ctx = testContext();
  for (const name of ['ada', 'bob']) {
    await submit(ctx, await anEnrolledDevice(ctx, name), [stretch(DAY, 0, 50)]);
  }

  expect(query(ctx, 'SELECT sum(input) AS input FROM buckets WHERE counts = 1')).toEqual([
    { input: 10_000 },
  ]);
});

test('a submission that supersedes another can be withdrawn, held, released and marked as compromised', async () => {
  const { ctx, devices, first, second } = await aScene();
  const all = inputs(ctx);
  const of = (which: 'first' | 'second') => TWO_DEVICES.map((day) => day[which].input);
  const decided = { id: second.id, reason: 'A reason', now: ctx.now() };

  decideSubmission(ctx, { kind: 'hold', ...decided });
  expect(inputs(ctx)).toEqual(of('first'));
  decideSubmission(ctx, { kind: 'release', ...decided });
  expect(inputs(ctx)).toEqual(all);
  await withdrawSubmission(ctx, CALLER, first.id);
  expect(inputs(ctx)).toEqual(of('second'));

  await submit(
    ctx,
    devices[0],
    TWO_DEVICES.map((day) => day.first),
  );
  expect(inputs(ctx)).toEqual(all);
  const { device_id = 0 } = ctx.store.devices.key(devices[0].keyid) ?? {};
  const { public_id = '' } = ctx.store.devices.byId(device_id) ?? {};
  revokeDevice(ctx, CALLER, public_id, 'compromised');
  expect(inputs(ctx)).toEqual(of('second'));
  expect(await verified(aBoardOf(fileOf(ctx)))).toMatchObject({ whole: true, findings: [] });
});

test('a dry run returns what would count, without storing it', async () => {
  const { ctx, devices } = await aScene();
  const records = [stretch('2026-02-26', 0, 50), stretch('2026-02-25', 0, 9)].map(composeRecord);
  const payload = aPayload({ audience: ctx.config.baseUrl, records });

  const tried = await trySnapshot(ctx, JSON.stringify(await devices[1].seal(payload)));

  // The first count is smaller than the stored one, and the other day is new.
  expect(tried).toMatchObject({ records: 2, counting: 1 });
});

test('fingerprints of self-reports are ignored, and invalid ones are rejected only in signed snapshots', async () => {
  const ctx = testContext();
  const device = await anEnrolledDevice(ctx, 'ada');
  await submit(ctx, device, [
    aBucket({ tool: 'codex', fingerprint: fingerprintOfResponses(0, 9) }),
  ]);
  for (const fingerprint of ['no fingerprint', fingerprintOfResponses(0, 9)]) {
    const text = JSON.stringify(aRecord({ context: { fingerprint } }));
    await submitRecords(ctx, { operator_id: 1 }, { text, idempotencyKey: fingerprint });
  }
  const records = [aRecord({ context: { fingerprint: 'no fingerprint' } })];

  await expect(submit(ctx, device, [], { records })).rejects.toMatchObject({
    code: 'validation_failed',
    faults: [{ pointer: '#/records/0/context/fingerprint' }],
  });
  expect(
    query(ctx, 'SELECT counts, fingerprint IS NULL AS bare FROM buckets ORDER BY device_id'),
  ).toEqual([
    { counts: 1, bare: 0 },
    { counts: 1, bare: 1 },
  ]);
});

test('a signed submission of three records grows by at most 400 bytes', async () => {
  const device = await anEnrolledDevice(testContext(), 'ada');
  const lengthOf = async (fingerprint?: string) => {
    const records = bucketsOfDays(3, DAY, { fingerprint }).map(composeRecord);
    return JSON.stringify(await device.seal(aPayload({ records }))).length;
  };

  const grown = (await lengthOf(fingerprintOfResponses(0, 100))) - (await lengthOf());

  expect(grown).toBe(388);
});

/** The board's public log and its file after two days, changed before they are published. */
async function publishedBoard(change: string) {
  const { ctx } = await aScene();
  execute(ctx, change);
  publishAndKeep(ctx);
  ctx.clock.nowMs += DAY_MS;
  publishAndKeep(ctx);
  return { lines: exportOf(ctx), database: fileOf(ctx) };
}

describe('a board with two devices of one account', () => {
  let kept: ReturnType<typeof publishedBoard> | null = null;
  /** Created once, inside a test, which removes its folder. */
  const theBoard = () => (kept ??= publishedBoard(''));

  test('is recomputed from its public log', async () => {
    const { lines } = await theBoard();
    const { codes, boards } = verify(lines);

    expect(codes).toEqual([]);
    expect(boards.map(({ extent, rows }) => [extent, rows.recomputed])).toEqual([
      ['fully', 4],
      ['fully', 4],
    ]);
  });

  test('is detected by its public log if it ignores the rule', async () => {
    const { lines } = await publishedBoard(IGNORED);
    const { codes, findings } = verify(lines);

    expect(codes).toContain('standing');
    expect(JSON.stringify(findings)).toContain('ada');
  });

  test('matches its log, and does not if it ignores the rule', async () => {
    const { database } = await theBoard();
    expect(await verified(aBoardOf(database))).toMatchObject({ whole: true, findings: [] });

    const changed = aBoardOf(database, (db) => editCounts(db, IGNORED));
    const { findings } = await verified(changed);
    expect(findings.map(({ code }) => code)).toContain('bucket');
  });

  test('keeps its overlaps in a backup', async () => {
    const { database } = await theBoard();
    const file = join(aDataDir(), 'backup.sqlite');
    const settings = { DATA_DIR: aDataDir(), BASE_URL };

    expect(await runAdmin(['backup', file], aBoardOf(database))).toMatchObject({ status: 0 });
    expect(await runAdmin(['restore', file], settings)).toMatchObject({ status: 0 });

    expect(await verified(settings)).toMatchObject({ whole: true, findings: [] });
  });

  test.each([
    ['the reported count', 'stated_input = stated_input + 1 WHERE stated_input IS NOT NULL'],
    ['a fingerprint', "fingerprint = x'00000001' WHERE operator_id = 1"],
    ['no fingerprint', 'fingerprint = NULL WHERE operator_id = 1'],
  ])('fails verification with %s that is not in the log', async (_, change) => {
    const { database } = await theBoard();
    const changed = aBoardOf(database, (db) => editCounts(db, `UPDATE buckets SET ${change}`));

    const { findings } = await verified(changed);

    expect(findings).toContainEqual(expect.objectContaining({ code: 'bucket' }));
  });
});

test('fingerprints are not in any public list of records', async () => {
  const { ctx } = await aScene();
  publishAndKeep(ctx);
  const records = JSON.stringify(readOperatorRecords(ctx, 'ada', RecordsQuery.parse({})));
  const corpus = [...readCorpus(ctx, CorpusQuery.parse({}))].join('');

  for (const text of [records, corpus]) {
    expect(text).toContain('"telemetry"');
    expect(text).not.toContain('fingerprint');
  }
});

test('no fingerprints of a deleted account remain', async () => {
  const { ctx } = await aScene();
  expect(query(ctx, 'SELECT 1 FROM buckets WHERE fingerprint IS NOT NULL')).not.toEqual([]);

  await deleteAccount(ctx, 1, 'ada');

  expect(query(ctx, 'SELECT 1 FROM buckets WHERE fingerprint IS NOT NULL')).toEqual([]);
  expect(exportOf(ctx).join('')).not.toContain(Buffer.from('fingerprint":').toString('base64'));
});
