import { describe, expect, test } from 'vitest';
import { ChallengesQuery } from '#core/contract/challenges.ts';
import { cancelChallenge } from '#server/challenge/cancel-challenge.ts';
import { type ChallengeRequest, createChallenge } from '#server/challenge/create-challenge.ts';
import { readChallenge, readChallenges } from '#server/challenge/challenges.ts';
import { DAY_MS } from '#tests/support/board/builders.ts';
import { type TestContext, publish, query, testContext } from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

function create(ctx: TestContext, over: Partial<ChallengeRequest> = {}): string {
  const request = {
    id: null,
    title: 'Spring sprint',
    description: 'Who is best?',
    metric: 'leverage',
    tool: null,
    first_day: '2026-03-10',
    last_day: '2026-03-12',
    eligibility: {},
    ...over,
  };
  return createChallenge(ctx.store, request, { ruleset: ctx.ruleset, now: ctx.now() });
}

function cancel(ctx: TestContext, id: string, reason = 'A mistake'): void {
  cancelChallenge(ctx.store, { id, reason, now: ctx.now() });
}

function listed(ctx: TestContext, over: object = {}) {
  const { entries, ...page } = readChallenges(ctx, ChallengesQuery.parse(over));
  return { ...page, ids: entries.map(({ id, status }) => `${id} ${status}`) };
}

describe('createChallenge()', () => {
  test('stores the terms with the current rules, and logs that', () => {
    const ctx = testContext();
    expect(create(ctx)).toBe('spring-sprint');
    publish(ctx);

    const { limit } = ChallengesQuery.parse({});
    expect(readChallenge(ctx, 'spring-sprint', { limit, format: 'json' })).toMatchObject({
      title: 'Spring sprint',
      metric: 'leverage',
      tool: null,
      status: 'active',
      closes_at: '2026-03-15T00:00:00.000Z',
      ruleset: '2',
      eligibility: { active_day_tokens: 10_000, active_days: 3, effective_days: 2 },
    });
    expect(query(ctx, 'SELECT action, subject FROM audit_log')).toEqual([
      { action: 'challenge_create', subject: 'spring-sprint' },
    ]);
  });

  test('rejects an ID in use, even by a canceled challenge', () => {
    const ctx = testContext();
    create(ctx);
    cancel(ctx, 'spring-sprint');
    expect(() => create(ctx)).toThrow(refusal('state_conflict'));
    expect(create(ctx, { id: 'spring-2' })).toBe('spring-2');
  });

  test.each([
    ['#/id', { id: null, title: '日本' }],
    ['#/id', { id: 'No' }],
    ['#/title', { title: ' ' }],
    ['#/description', { description: 'bad\u202e' }],
    ['#/metric', { metric: 'speed' }],
    ['#/tool', { tool: '' }],
    ['#/first_day', { first_day: '2026-02-30' }],
    ['#/first_day', { first_day: '2026-03-09' }],
    ['#/last_day', { last_day: '2026-03-09' }],
    ['#/eligibility/coverage', { eligibility: { coverage: 2 } }],
    ['#/eligibility/stated_days', { eligibility: { stated_days: 1.1 } }],
    ['#/eligibility/active_days', { eligibility: { active_days: 4 } }],
    ['#/eligibility/active_days', { eligibility: { active_days: 0 } }],
  ])('reports %s if it is invalid', (pointer, over) => {
    const ctx = testContext();
    expect(() => create(ctx, { id: 'sprint', ...over })).toThrow(
      refusal('validation_failed', pointer),
    );
    expect(query(ctx, 'SELECT * FROM challenges')).toEqual([]);
  });

  test('reports all invalid fields together', () => {
    const ctx = testContext();
    const over = { id: 'No', title: ' ', first_day: '2026-03-01', eligibility: { coverage: 2 } };
    const refused = () => create(ctx, over);
    for (const place of ['id', 'title', 'first_day', 'eligibility/coverage']) {
      expect(refused).toThrow(refusal('validation_failed', `#/${place}`));
    }
  });
});

describe('cancelChallenge()', () => {
  test('keeps it listed with the reason, and logs that', () => {
    const ctx = testContext();
    create(ctx);
    cancel(ctx, 'spring-sprint', 'The prize is gone');

    const [entry] = readChallenges(ctx, ChallengesQuery.parse({})).entries;
    expect(entry).toMatchObject({ status: 'cancelled', cancelled_reason: 'The prize is gone' });
    expect(query(ctx, `SELECT reason FROM audit_log WHERE action = 'challenge_cancel'`)).toEqual([
      { reason: 'The prize is gone' },
    ]);
    expect(() => cancel(ctx, 'spring-sprint')).toThrow(refusal('state_conflict'));
  });

  test('rejects complete and unknown challenges, and invalid reasons', () => {
    const ctx = testContext();
    create(ctx);
    expect(() => cancel(ctx, 'nothing')).toThrow(refusal('not_found'));
    for (const reason of [' ', 'two\nlines', 'x'.repeat(301)]) {
      expect(() => cancel(ctx, 'spring-sprint', reason)).toThrow(refusal('validation_failed'));
    }
    ctx.clock.nowMs = Date.parse('2026-03-15T00:00:00.000Z');
    expect(() => cancel(ctx, 'spring-sprint')).toThrow(refusal('state_conflict'));
  });
});

describe('readChallenges()', () => {
  test('lists the newest first, by state and in pages', () => {
    const ctx = testContext();
    create(ctx, { id: 'now' });
    create(ctx, { id: 'later', first_day: '2026-04-01', last_day: '2026-04-30' });
    create(ctx, { id: 'never' });
    cancel(ctx, 'never');

    expect(listed(ctx).ids).toEqual(['never cancelled', 'later upcoming', 'now active']);
    expect(listed(ctx, { status: 'upcoming' })).toEqual({
      total: 1,
      next_cursor: null,
      ids: ['later upcoming'],
    });
    const first = listed(ctx, { limit: '2' });
    expect(first).toMatchObject({ total: 3, next_cursor: '2' });
    expect(listed(ctx, { cursor: first.next_cursor }).ids).toEqual(['now active']);

    ctx.clock.nowMs += 3 * DAY_MS;
    expect(listed(ctx, { status: 'scoring' }).ids).toEqual(['now scoring']);
    expect(() => listed(ctx, { cursor: 'x' })).toThrow(refusal('query_invalid'));
  });
});
