import { describe, expect, test } from 'vitest';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { decideSubmission } from '#server/submission/decide-submission.ts';
import { deleteAccount } from '#server/account/delete-account.ts';
import { hideOperator } from '#server/operator/hide-operator.ts';
import { revokeDevice } from '#server/device/revoke-device.ts';
import { setCodename } from '#server/operator/set-codename.ts';
import { setDataOptOut } from '#server/operator/set-data-opt-out.ts';
import { submitRecords } from '#server/submission/submit-records.ts';
import { updateProfile } from '#server/operator/update-profile.ts';
import { withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { publicLog } from '#server/public-log/lines.ts';
import { DAY_MS, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  anOperator,
  publishAndKeep,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { exportOf, verify } from '#tests/support/board/public-log.ts';

const FIRST = '2026-02-25';

/** An operator with as many days as ranking requires, no two alike. */
async function aRanked(ctx: TestContext, codename: string, input: number, tool = 'claude-code') {
  const device = await anEnrolledDevice(ctx, codename);
  const { answer } = await submit(ctx, device, bucketsOfDays(10, FIRST, { input, tool }));
  const id = ctx.store.operators.byCodename(codename)?.id ?? 0;
  return { id, device, submission: answer.id };
}

function nextDay(ctx: TestContext): void {
  publishAndKeep(ctx);
  ctx.clock.nowMs += DAY_MS;
}

/** Two days on which operators do everything that the log can contain, and a board on the third. */
async function aFullLog(): Promise<TestContext> {
  const ctx = testContext();
  const ada = await aRanked(ctx, 'ada', 1000);
  const bob = anOperator(ctx, 'bob');
  const records = bucketsOfDays(9, FIRST, { input: 1100 }).map(composeRecord);
  await submitRecords(
    ctx,
    { operator_id: bob.id },
    {
      text: JSON.stringify({ records }),
      idempotencyKey: undefined,
    },
  );
  const carol = await aRanked(ctx, 'carol', 1200, 'codex');
  const dave = await aRanked(ctx, 'dave', 1300);
  const erin = await aRanked(ctx, 'erin', 1400);
  const frank = await aRanked(ctx, 'frank', 1500, 'codex');
  const gina = await aRanked(ctx, 'gina', 1600);
  const hank = await aRanked(ctx, 'hank', 1700);
  const ivy = await aRanked(ctx, 'ivy', 1800);
  await aRanked(ctx, 'jack', 1900);
  nextDay(ctx);
  const later = await submit(ctx, carol.device, bucketsOfDays(5, FIRST, { input: 9000 }));
  await withdrawSubmission(ctx, { operator_id: carol.id, device_id: null }, later.answer.id);
  decideSubmission(ctx, { kind: 'hold', id: ivy.submission, reason: 'Odd' });
  await updateProfile(ctx, erin.id, { privacy_mode: 'anonymous' });
  await updateProfile(ctx, hank.id, { privacy_mode: 'private' });
  hideOperator(ctx, { kind: 'hide', name: 'jack', reason: 'Spam' });
  nextDay(ctx);
  const stolen = await anEnrolledDevice(ctx, 'dave');
  await submit(ctx, stolen, bucketsOfDays(12, FIRST, { model: 'other', input: 70 }));
  const key = ctx.store.devices.key(stolen.keyid);
  const { public_id = '' } = ctx.store.devices.byId(key?.device_id ?? 0) ?? {};
  nextDay(ctx);
  revokeDevice(ctx, { operator_id: dave.id, device_id: null }, public_id, 'compromised');
  decideSubmission(ctx, { kind: 'release', id: ivy.submission, reason: 'Explained' });
  await updateProfile(ctx, hank.id, { privacy_mode: 'pseudonymous' });
  hideOperator(ctx, { kind: 'unhide', name: 'jack', reason: 'No spam' });
  await setDataOptOut(ctx, frank.id, { opt_out: true });
  await setCodename(ctx, ada.id, 'ada-lovelace');
  await deleteAccount(ctx, gina.id, 'gina');
  publishAndKeep(ctx);
  return ctx;
}

describe('the public log', () => {
  test('reproduces every board, whatever operators and admins have done', async () => {
    const ctx = await aFullLog();
    const lines = exportOf(ctx);
    const { findings, boards, check } = verify(lines);

    expect(findings).toEqual([]);
    expect(boards).toMatchObject([
      // Three operators who were below gina then were not on the later boards.
      { as_of: '2026-03-10', extent: 'partly', gaps: 1 },
      { as_of: '2026-03-11', extent: 'partly', gaps: 0 },
      { as_of: '2026-03-12', extent: 'partly', gaps: 0 },
      { as_of: '2026-03-13', kept: 'current', extent: 'partly', gaps: 0 },
    ]);
    expect(boards.at(-1)?.rows.stated).toBeGreaterThan(0);
    expect(check.entries).toMatchObject({ selfReported: 1 });
    expect(check.entries?.chain.counts()).toEqual({ erased: 3, lost: 0, withheld: 4 + 4 });

    // The same bytes for the same log and publication.
    publishAndKeep(ctx);
    expect(exportOf(ctx)).toEqual(lines);

    // For operators who do not take part, only the public row.
    const text = lines.join('');
    const { store } = ctx;
    const shows = (codename: string) => {
      const { id = 0, public_id = '' } = store.operators.byCodename(codename) ?? {};
      const keys = store.devices.keysOfOperator(id).map(({ keyid }) => keyid);
      return [codename, public_id, ...keys].map((word) => text.includes(word));
    };

    expect(shows('ada-lovelace')).toEqual([true, true, true]);
    expect(shows('erin')).toEqual([false, false, false]);
    expect(shows('frank')).toEqual([true, false, false]);
    expect(text).toContain('"name":"anonymous-');
    expect(text).not.toContain('gina');
  });

  test('can be read while submissions are received', async () => {
    const ctx = testContext();
    const { device } = await aRanked(ctx, 'ada', 1000);
    publishAndKeep(ctx);
    const lines: string[] = [];
    const { store, boardKey, config } = ctx;
    for (const line of publicLog({ store, boardKey, baseUrl: config.baseUrl }).lines) {
      lines.push(line);
      await submit(ctx, device, bucketsOfDays(1, '2026-03-08', { input: 2000 + lines.length }));
    }

    expect(verify(lines).findings).toEqual([]);
  });
});
