import { describe, expect, test } from 'vitest';
import { ChallengeQuery } from '#core/contract/challenges.ts';
import { RULESET, RULESET_2 } from '#core/domain/board/ruleset.ts';
import type { ChallengeEligibility } from '#core/schema/challenge.ts';
import { readChallenge } from '#server/challenge/challenges.ts';
import { createChallenge } from '#server/challenge/create-challenge.ts';
import { withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { type TestDevice, aBucket, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  publishAndKeep,
  submit,
  submitStating,
  testContext,
} from '#tests/support/board/context.ts';

const DAYS = { first_day: '2026-03-12', last_day: '2026-03-21' };
const GAP = { from: '2026-03-16', to: '2026-03-17' };
/** The last day of uploads, and two days later. */
const [IN_TIME, LATE] = ['2026-03-23T10:00:00.000Z', '2026-03-25T10:00:00.000Z'];

function at(ctx: TestContext, instant: string): void {
  ctx.clock.nowMs = Date.parse(instant);
}

function aChallenge(ctx: TestContext, eligibility: Partial<ChallengeEligibility>, rules = RULESET) {
  const request = {
    ...{ id: 'march', title: 'March', description: 'A test.', metric: 'yield', tool: 'codex' },
    ...{ ...DAYS, eligibility },
  };
  createChallenge(ctx.store, request, { ruleset: rules, now: ctx.now() });
}

/** A challenge for Codex with an operator who used it on eight of ten days. */
async function aScene(eligibility: Partial<ChallengeEligibility> = { stated_days: 0.9 }) {
  const ctx = testContext();
  aChallenge(ctx, eligibility);
  at(ctx, IN_TIME);
  const device = await anEnrolledDevice(ctx, 'ada');
  await submit(ctx, device, [
    ...bucketsOfDays(4, '2026-03-12', { tool: 'codex' }),
    ...bucketsOfDays(4, '2026-03-18', { tool: 'codex' }),
  ]);
  return { ctx, device };
}

/** States the gap, next to a count of another tool. */
async function stateGap(ctx: TestContext, device: TestDevice) {
  const { answer } = await submitStating(ctx, device, GAP, [aBucket({ day: '2026-03-12' })]);
  return answer.id;
}

function standings(ctx: TestContext) {
  publishAndKeep(ctx);
  const { entries, unranked, ...rest } = readChallenge(ctx, 'march', ChallengeQuery.parse({}));
  return { ranked: entries.map(({ codename }) => codename), unranked, ...rest };
}

describe('a challenge with a minimum of stated days', () => {
  test('ranks nobody with gaps on its days, and says what is missing', async () => {
    const { ctx } = await aScene();

    expect(standings(ctx)).toMatchObject({
      eligibility: { stated_days: 0.9 },
      ranked: [],
      unranked: [
        {
          codename: 'ada',
          reasons: [{ code: 'stated_days_low', required: 0.9, actual: 0.8 }],
        },
      ],
    });
  });

  test.each([
    [
      'a span that a device states',
      (device: TestDevice, ctx: TestContext) => stateGap(ctx, device),
    ],
    [
      'tokens of other tools',
      (device: TestDevice, ctx: TestContext) =>
        submit(ctx, device, bucketsOfDays(2, '2026-03-16', { tool: 'zed' })),
    ],
  ])('counts %s', async (_, fill) => {
    const { ctx, device } = await aScene();
    await fill(device, ctx);

    expect(standings(ctx).ranked).toEqual(['ada']);
  });

  test('begins with its first day if the account is older', async () => {
    const { ctx, device } = await aScene({ stated_days: 0.8 });
    expect(standings(ctx).ranked).toEqual(['ada']);

    const late = testContext();
    aChallenge(late, { stated_days: 0.8, active_days: 1 });
    at(late, IN_TIME);
    const other = await anEnrolledDevice(late, 'ada');
    await submit(late, other, bucketsOfDays(7, '2026-03-15', { tool: 'codex' }));
    expect(standings(late).ranked).toEqual(['ada']);
    await submit(late, other, [aBucket({ day: '2026-03-01', tool: 'zed' })]);
    expect(standings(late).unranked).toMatchObject([{ reasons: [{ actual: 0.7 }] }]);
    await submit(ctx, device, [aBucket({ day: '2026-03-01', tool: 'zed' })]);
    expect(standings(ctx).ranked).toEqual(['ada']);
  });

  test.each([
    ['before it', '2026-03-01', '2026-03-15'],
    ['after it', '2026-03-22', '2026-03-12'],
  ])('is final with gaps up to days %s, also after later entries', async (_, outside, first) => {
    const ctx = testContext();
    aChallenge(ctx, { stated_days: 0.8 });
    at(ctx, IN_TIME);
    const device = await anEnrolledDevice(ctx, 'ada');
    await submit(ctx, device, [
      aBucket({ day: outside, tool: 'zed' }),
      ...bucketsOfDays(7, first, { tool: 'codex' }),
    ]);
    at(ctx, LATE);
    await submit(ctx, device, [aBucket({ day: '2026-03-25', tool: 'codex' })]);

    expect(standings(ctx)).toMatchObject({ status: 'complete', total: 0, unranked_total: 1 });
  });

  test('is final with what was stated before it closed', async () => {
    const { ctx, device } = await aScene();
    at(ctx, LATE);
    await stateGap(ctx, device);

    expect(standings(ctx)).toMatchObject({ status: 'complete', ranked: [], unranked_total: 1 });
  });

  test('keeps places although the statement is withdrawn before they are made', async () => {
    const { ctx, device } = await aScene();
    const id = await stateGap(ctx, device);
    at(ctx, LATE);
    // A later count, after which the days of the challenge are not the last ones.
    await submit(ctx, device, [aBucket({ day: '2026-03-25', tool: 'codex' })]);
    const operator_id = ctx.store.operators.byCodename('ada')?.id ?? 0;
    await withdrawSubmission(ctx, { operator_id, device_id: null }, id);

    expect(standings(ctx)).toMatchObject({ status: 'complete', total: 1, unranked_total: 0 });
  });
});

test('final standings under ruleset 2 depend on earlier days, also after later entries', async () => {
  const intervalOf = async (hasLaterEntry: boolean) => {
    const ctx = testContext();
    aChallenge(ctx, {}, RULESET_2);
    at(ctx, IN_TIME);
    const device = await anEnrolledDevice(ctx, 'ada');
    const uneven = bucketsOfDays(60, '2026-01-21', { tool: 'codex' }).map((bucket, index) => {
      return { ...bucket, output: bucket.output * (1 + (index % 9)) };
    });
    await submit(ctx, device, uneven);
    at(ctx, LATE);
    if (hasLaterEntry) await submit(ctx, device, [aBucket({ day: '2026-03-25', tool: 'codex' })]);
    publishAndKeep(ctx);
    return readChallenge(ctx, 'march', ChallengeQuery.parse({})).entries.map(
      ({ interval, value }) => ({ interval, value }),
    );
  };

  const [plain, counted] = [await intervalOf(false), await intervalOf(true)];
  expect(plain).toHaveLength(1);
  expect(counted).toEqual(plain);
});
