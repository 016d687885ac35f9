import { describe, expect, test } from 'vitest';
import { ChallengeQuery } from '#core/contract/challenges.ts';
import { readChallenge } from '#server/challenge/challenges.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  publishAndKeep,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { MARCH, addMarchChallenge } from '#tests/support/board/march-challenge.ts';

function at(ctx: TestContext, instant: string): void {
  ctx.clock.nowMs = Date.parse(instant);
}

function standingsOf(ctx: TestContext, over: object = {}) {
  return readChallenge(ctx, MARCH, ChallengeQuery.parse(over));
}

describe('provisional standings', () => {
  /** The third day of a challenge, when no operator has the required active days. */
  async function aThirdDay() {
    const ctx = testContext();
    addMarchChallenge(ctx);
    at(ctx, '2026-03-14T10:00:00.000Z');
    const take = async (name: string, days: number, output: number) => {
      const device = await anEnrolledDevice(ctx, name);
      await submit(ctx, device, bucketsOfDays(days, '2026-03-12', { output }));
    };
    await take('ada', 1, 90_000);
    await take('bob', 3, 20_000);
    await take('cyd', 3, 30_000);
    await take('dan', 1, 10_000);
    publishAndKeep(ctx);
    return ctx;
  }

  test('list operators who are not eligible yet, the highest conservative value first, with what is missing', async () => {
    const standings = standingsOf(await aThirdDay());

    expect(standings).toMatchObject({
      status: 'active',
      provisional: true,
      total: 0,
      unranked_total: 4,
    });
    expect(
      standings.unranked.map(({ codename, active_days, interval }) => [
        codename,
        active_days,
        Math.round(interval?.[0] ?? 0),
      ]),
    ).toEqual([
      ['cyd', 3, 451],
      ['bob', 3, 300],
      ['ada', 1, 72],
      ['dan', 1, 8],
    ]);
    expect(standings.unranked[0]?.reasons).toContainEqual({
      code: 'active_days_low',
      required: 7,
      actual: 3,
      detail: '3 of 7 active days',
    });
    expect(standings.next_cursor).toBeNull();
  });

  test('are paged as one list: first the places, then the others', async () => {
    const ctx = await aThirdDay();
    at(ctx, '2026-03-19T10:00:00.000Z');
    for (const name of ['eve', 'fay']) {
      await submit(ctx, await anEnrolledDevice(ctx, name), bucketsOfDays(7, '2026-03-12'));
    }
    publishAndKeep(ctx);
    const seen: (string | null)[][] = [];
    let cursor: string | null | undefined;
    for (let page = 0; cursor !== null && page < 9; page += 1) {
      const standings = standingsOf(ctx, { limit: '2', ...(cursor ? { cursor } : {}) });
      seen.push([...standings.entries, ...standings.unranked].map(({ codename }) => codename));
      cursor = standings.next_cursor;
    }

    expect(seen).toEqual([
      ['eve', 'fay'],
      ['cyd', 'bob'],
      ['ada', 'dan'],
    ]);
  });

  test('name only public operators, and end with the challenge', async () => {
    const ctx = await aThirdDay();
    const { id } = ctx.store.operators.byCodename('cyd') ?? { id: 0 };
    ctx.store.transaction(() => changeVisibility(ctx, id, { privacy_mode: 'private' }));
    publishAndKeep(ctx);
    expect(standingsOf(ctx).unranked.map(({ codename }) => codename)).toEqual([
      'bob',
      'ada',
      'dan',
    ]);

    at(ctx, '2026-03-21T10:00:00.000Z');
    publishAndKeep(ctx);
    expect(standingsOf(ctx)).toMatchObject({ status: 'scoring', provisional: true });

    at(ctx, '2026-03-23T00:00:00.000Z');
    publishAndKeep(ctx);
    expect(standingsOf(ctx)).toMatchObject({
      status: 'complete',
      provisional: false,
      unranked_total: 3,
      unranked: [],
    });
  });
});
