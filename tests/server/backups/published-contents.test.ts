/** A restored board takes submissions with their contents from a copy of its log that has payloads. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { writeBackup } from '#server/backups/backup-file.ts';
import { databasePath } from '#server/config/config.ts';
import { deleteAccount } from '#server/account/delete-account.ts';
import { hideOperator } from '#server/operator/hide-operator.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import { decideSubmission } from '#server/submission/decide-submission.ts';
import { submitRecords } from '#server/submission/submit-records.ts';
import { submitSnapshot } from '#server/submission/submit-snapshot.ts';
import { withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import {
  type TestDevice,
  aPayload,
  aRecord,
  bucketsOfDays,
} from '#tests/support/board/builders.ts';
import {
  type TestContext,
  aDataDir,
  anEnrolledDevice,
  publishAndKeep,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { exportOf } from '#tests/support/board/public-log.ts';
import { idOf } from '#tests/support/board/restoring.ts';
import { checkpointsOf } from '#tests/support/tlog/board-checkpoints.ts';
import { aWholeLogCopy } from '#tests/support/tlog/log-copy.ts';
import { PUBLIC_URL, jsonOf, opened } from '#tests/support/tlog/published-board.ts';

let ctx: TestContext;
let devices: Record<'ada' | 'bob' | 'cyd', TestDevice>;
let file: string;

beforeEach(async () => {
  ctx = testContext({ baseUrl: PUBLIC_URL });
  const [ada, bob, cyd] = await Promise.all(
    ['ada', 'bob', 'cyd'].map((name) => anEnrolledDevice(ctx, name)),
  );
  devices = { ada: ada ?? expect.fail(), bob: bob ?? expect.fail(), cyd: cyd ?? expect.fail() };
  for (const [at, device] of Object.values(devices).entries())
    await submit(ctx, device, bucketsOfDays(2, '2026-02-01', { output: 10_000 + at }));
  changeVisibility(ctx, idOf(ctx, 'ada'), { privacy_mode: 'identified' });
  checkpointsOf(ctx).advance();
  file = join(aDataDir(), 'backup.sqlite');
  writeBackup(databasePath(ctx.config), file);
});

const daysOf = (from: string, output: number) => bucketsOfDays(3, from, { output });

/** Restores the backup with a copy of the log as it is now. */
async function restored(copy = aWholeLogCopy(ctx)) {
  const dataDir = aDataDir();
  const env = { DATA_DIR: dataDir, BASE_URL: PUBLIC_URL };
  const result = await runAdmin(['restore', file, '--log', copy, '--json'], env);
  expect([result.status, result.stderr]).toEqual([0, expect.any(String)]);
  const verified = await runAdmin(['verify'], env);
  expect([verified.status, verified.stdout]).toEqual([0, expect.any(String)]);
  return { ...result, json: jsonOf(result), dataDir, store: opened(dataDir, PUBLIC_URL).store };
}

test('with the same counts, answers and IDs, so that sending them again changes nothing', async () => {
  const payload = aPayload({ audience: PUBLIC_URL, records: [aRecord()] });
  const envelope = JSON.stringify(await devices.ada.seal(payload));
  const sent = await submitSnapshot(ctx, envelope);
  const corrected = await submit(ctx, devices.ada, daysOf('2026-03-02', 7_000));
  const { answer } = await submitRecords(
    ctx,
    { operator_id: idOf(ctx, 'bob') },
    {
      text: JSON.stringify(aRecord()),
      idempotencyKey: undefined,
    },
  );

  const { json, store } = await restored();

  const missing = [sent.answer, corrected.answer, answer].map(({ log_index }) => log_index);
  expect(json).toMatchObject({ submissions: 3, lost: null });
  for (const log_index of missing) {
    const [own, other] = [store, ctx.store].map((each) => each.submissions.at(log_index));
    expect(own).toEqual({ ...other, device_id: expect.any(Number) });
  }
  for (const name of ['ada', 'bob']) {
    const id = idOf(ctx, name);
    expect(store.buckets.totals(id)).toEqual(ctx.store.buckets.totals(id));
  }
  const board = { ...ctx, store };
  expect(await submitSnapshot(board, envelope)).toEqual({ created: false, answer: sent.answer });
});

test('but not those of devices and accounts that the backup lacks', async () => {
  const [other, dan] = [await anEnrolledDevice(ctx, 'ada'), await anEnrolledDevice(ctx, 'dan')];
  await submit(ctx, other, daysOf('2026-03-01', 5_000));
  await submit(ctx, dan, daysOf('2026-03-01', 6_000));
  const kept = await submit(ctx, devices.bob, daysOf('2026-03-01', 7_000));
  const last = ctx.store.log.head()?.index ?? 0;

  const { json, store, stderr } = await restored();

  expect(json).toMatchObject({ submissions: 1 });
  expect(store.submissions.at(kept.answer.log_index)).toBeDefined();
  const { payload } = store.log.at(last + 1) ?? {};
  const { entries } = JSON.parse(payload?.toString() ?? '') as { entries: number[][] };
  expect(entries).toEqual([[expect.any(Number), kept.answer.log_index - 1]]);
  expect(stderr).toContain('entered again with their contents, from the copy of the log: 1.');
});

test('and reapplies what the copy shows: decisions, withdrawals and deletions', async () => {
  const [rejected, withdrawn] = [
    await submit(ctx, devices.ada, daysOf('2026-03-01', 5_000)),
    await submit(ctx, devices.ada, daysOf('2026-03-05', 6_000)),
  ];
  decideSubmission(ctx, { kind: 'reject', id: rejected.answer.id, reason: 'Not usage' });
  const caller = { operator_id: idOf(ctx, 'ada'), device_id: null };
  await withdrawSubmission(ctx, caller, withdrawn.answer.id);
  await submit(ctx, devices.bob, daysOf('2026-03-01', 7_000));
  // A copy that was made before the account was deleted, and then got everything but new payloads.
  const stale = aWholeLogCopy(ctx);
  await deleteAccount(ctx, idOf(ctx, 'bob'), 'bob');
  const copy = aWholeLogCopy(ctx);
  const line = (folder: string) => readFileSync(join(folder, 'payload/000'), 'utf8');
  const erasure = line(copy).trimEnd().split('\n').at(-1) ?? '';
  writeFileSync(join(copy, 'payload/000'), `${line(stale)}${erasure}\n`);

  const { json, store } = await restored(copy);

  expect(json).toMatchObject({ erased: 1, decided: 2, submissions: 2 });
  const states = [rejected, withdrawn].map(
    ({ answer }) => store.submissions.byId(answer.id)?.state,
  );
  expect(states).toEqual(['rejected', 'withdrawn']);
  expect(store.operators.byCodename('bob')).toBeUndefined();
});

test('and keeps accounts hidden that the copy does not show any more', async () => {
  changeVisibility(ctx, idOf(ctx, 'ada'), { privacy_mode: 'pseudonymous' });
  const bob = idOf(ctx, 'bob');
  ctx.store.transaction(() => changeVisibility(ctx, bob, { privacy_mode: 'anonymous' }));

  const first = await restored();
  expect(first.json).toMatchObject({ hidden: 2 });
  expect(first.store.operators.byCodename('ada')).toMatchObject({ privacy_mode: 'pseudonymous' });
  expect(first.store.operators.byCodename('bob')).toMatchObject({
    privacy_mode: 'private',
    hidden_at: null,
  });
  expect(first.store.operators.byCodename('cyd')).toMatchObject({ hidden_at: null });

  hideOperator(ctx, { kind: 'hide', name: 'cyd', reason: 'Offensive name' });
  const second = await restored();
  expect(second.store.operators.byCodename('cyd')?.hidden_at).not.toBeNull();
  expect(second.store.operators.byCodename('ada')?.hidden_at).toBeNull();
});

test('from a file of the public log, too', async () => {
  const { answer } = await submit(ctx, devices.ada, daysOf('2026-03-01', 5_000));
  publishAndKeep(ctx);
  const copy = join(aDataDir(), 'log.ndjson');
  writeFileSync(copy, exportOf(ctx).join(''));

  const { json, store } = await restored(copy);

  expect(json).toMatchObject({ submissions: 1 });
  expect(store.submissions.at(answer.log_index)?.id).toBe(answer.id);
});

test('and leaves payloads out that do not belong to their entries', async () => {
  const { answer } = await submit(ctx, devices.ada, daysOf('2026-03-01', 5_000));
  const kept = await submit(ctx, devices.bob, daysOf('2026-03-01', 6_000));
  const copy = aWholeLogCopy(ctx);
  const path = join(copy, 'payload/000');
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const changed = lines.map((line) => {
    const { log_index } = JSON.parse(line) as { log_index: number };
    return log_index === answer.log_index
      ? line.replace('"salt":"', '"salt":"0').replace(/(.{64})."/, '$1"')
      : line;
  });
  writeFileSync(path, `${changed.join('\n')}\n`);

  const { json, store } = await restored(copy);

  expect(json).toMatchObject({ submissions: 1, lost: [answer.log_index, answer.log_index] });
  expect(store.submissions.at(kept.answer.log_index)).toBeDefined();
});
