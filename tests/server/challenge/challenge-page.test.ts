import { describe, expect, test } from 'vitest';
import type { ChallengeDetail } from '#core/contract/challenges.ts';
import { cancelChallenge } from '#server/challenge/cancel-challenge.ts';
import { createChallenge } from '#server/challenge/create-challenge.ts';
import { readChallengeList, readChallengePage } from '#server/challenge/challenge-page.ts';
import { anActive } from '#tests/support/board/boards.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { type TestContext, publish, testContext } from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const DAYS = { first_day: '2026-03-12', last_day: '2026-03-20' };

function aChallenge(ctx: TestContext, id: string): void {
  const said = { id, title: id, description: 'A test.', metric: 'yield', tool: null };
  const request = { ...said, ...DAYS, eligibility: {} };
  createChallenge(ctx.store, request, { ruleset: ctx.ruleset, now: ctx.now() });
}

/** A running challenge with the given number of ranked operators. */
function aRunning(operators: number): TestContext {
  const ctx = testContext();
  aChallenge(ctx, 'march');
  ctx.clock.nowMs = Date.parse('2026-03-21T10:00:00.000Z');
  for (let at = 0; at < operators; at += 1) {
    anActive(ctx, `op-${at}`, bucketsOfDays(9, '2026-03-12', { output: 10_000 + at }));
  }
  publish(ctx);
  return ctx;
}

describe('readChallengePage()', () => {
  test('returns all ranks in pages', () => {
    const ctx = aRunning(53);
    const first = readChallengePage(ctx, 'march', null) as ChallengeDetail;
    const second = readChallengePage(ctx, 'march', first.next_cursor) as ChallengeDetail;

    expect([first.total, first.entries.length]).toEqual([53, 50]);
    expect(second.entries.map(({ place }) => place)).toEqual([51, 52, 53]);
    expect(second.next_cursor).toBeNull();
  });

  test('is null for an unknown challenge', () => {
    const ctx = aRunning(0);
    for (const id of ['april', 'MARCH', '', '../march', '__proto__', 'x'.repeat(5000)]) {
      expect(readChallengePage(ctx, id, null)).toBeNull();
      expect(readChallengePage(ctx, id, '0.1')).toBeNull();
    }
  });

  test('throws service_unavailable, and is not "gone", before the first publication', () => {
    const ctx = testContext();
    aChallenge(ctx, 'march');

    expect(() => readChallengePage(ctx, 'march', null)).toThrow(refusal('service_unavailable'));
  });

  test.each(['', 'x', '-1', '1.1.1', '999.50', '0.50', '1.999999', '%', 'x'.repeat(3000)])(
    'is "gone" for the cursor %j',
    (after) => {
      expect(readChallengePage(aRunning(3), 'march', after)).toBe('gone');
    },
  );
});

describe('readChallengeList()', () => {
  test('lists challenges of all states with the number of ranked operators', () => {
    const ctx = aRunning(3);
    ctx.clock.nowMs = Date.parse('2026-03-10T10:00:00.000Z');
    aChallenge(ctx, 'next');
    aChallenge(ctx, 'off');
    cancelChallenge(ctx.store, { id: 'off', reason: 'A mistake', now: ctx.now() });

    const { listed, more } = readChallengeList(ctx);
    expect(more).toBe(false);
    expect(listed.map(({ id, status, total }) => [id, status, total])).toEqual([
      ['off', 'cancelled', 0],
      ['next', 'upcoming', 0],
      ['march', 'upcoming', 3],
    ]);
  });

  test('is empty without challenges, and says if there are older ones', () => {
    const ctx = testContext();
    publish(ctx);
    expect(readChallengeList(ctx)).toMatchObject({ listed: [], more: false });
    for (let at = 0; at < 101; at += 1) aChallenge(ctx, `challenge-${at}`);
    const { listed, more } = readChallengeList(ctx);
    expect([listed.length, listed[0]?.id, more]).toEqual([100, 'challenge-100', true]);
  });
});
