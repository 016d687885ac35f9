import { describe, expect, test } from 'vitest';
import { Me } from '#core/contract/me.ts';
import type { AccountExport } from '#core/contract/account-export.ts';
import { decideSubmission } from '#server/submission/decide-submission.ts';
import { Checks } from '#server/publication/checks/checks.ts';
import { exportAccount } from '#server/account/account-export.ts';
import { readMe } from '#server/board/me.ts';
import { aBucket } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  publish,
  submit,
  testContext,
} from '#tests/support/board/context.ts';

const CALLER = { operator_id: 1, device_id: null };

function noticesOf(ctx: TestContext) {
  const me = readMe(ctx, CALLER);
  expect(Me.parse(me)).toEqual(me);
  return me.notices;
}

async function aScene() {
  const ctx = testContext();
  const device = await anEnrolledDevice(ctx, 'ada');
  const { answer } = await submit(ctx, device, [aBucket({ input: 1e6, output: 300e6 })]);
  const { answer: later } = await submit(ctx, device, [
    aBucket({ day: '2026-03-02', cache_write: 0 }),
  ]);
  new Checks(ctx.store).run(ctx.now(), 60_000);
  publish(ctx);
  return { ctx, held: answer.id, noted: later.id };
}

describe('the notices of an account', () => {
  test('include holds and findings, with reasons and advice', async () => {
    const { ctx, held, noted } = await aScene();

    expect(noticesOf(ctx)).toMatchObject([
      {
        kind: 'held',
        submission: held,
        reason: null,
        checks: [
          {
            check: 'output_rate',
            verdict: 'hold',
            statistic: 300e6,
            threshold: 200e6,
            n: 2,
            tool: null,
            days: ['2026-03-01'],
            text: 'On 2026-03-01, the account reports 300,000,000 output tokens in a day, more than 200,000,000.',
          },
        ],
        advice: expect.stringMatching(
          /contact the admin: http.*\/settings\/data#contact$/,
        ) as string,
      },
      {
        kind: 'noted',
        submission: noted,
        checks: [{ check: 'reads_without_writes' }],
        advice: null,
      },
    ]);
  });

  test("include the admin's reason, and nothing about released submissions", async () => {
    const { ctx, held, noted } = await aScene();

    decideSubmission(ctx, { kind: 'reject', id: held, reason: 'Made up' });
    decideSubmission(ctx, { kind: 'reject', id: noted, reason: 'This too' });
    expect(noticesOf(ctx).map(({ submission, reason }) => [submission, reason])).toEqual([
      [noted, 'This too'],
      [held, 'Made up'],
    ]);

    decideSubmission(ctx, { kind: 'release', id: noted, reason: 'It was right' });
    decideSubmission(ctx, { kind: 'release', id: held, reason: 'They were right' });
    expect(noticesOf(ctx).map(({ kind }) => kind)).toEqual(['noted']);
  });

  test('are the same in the export of the account, and no other account gets them', async () => {
    const { ctx, held } = await aScene();
    await anEnrolledDevice(ctx, 'bob');
    decideSubmission(ctx, { kind: 'reject', id: held, reason: 'Made up' });

    const own = JSON.parse([...exportAccount(ctx, 1)].join('')) as AccountExport;

    expect(own.submissions.map(({ checks }) => checks.map(({ check }) => check))).toEqual([
      ['output_rate'],
      ['reads_without_writes'],
    ]);
    expect(own.keeper).toMatchObject([{ action: 'reject', reason: 'Made up' }]);
    expect(readMe(ctx, { operator_id: 2, device_id: null }).notices).toEqual([]);
  });
});
