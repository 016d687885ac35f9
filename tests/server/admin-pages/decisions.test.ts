import { describe, expect, test } from 'vitest';
import { COMMAND } from '#server/process/admin-actions.ts';
import { decideAll, holdById } from '#server/admin-pages/decide.ts';
import { readDecisions } from '#server/admin-pages/decisions.ts';
import { createChallenge } from '#server/challenge/create-challenge.ts';
import { readRulesets } from '#server/board/rulesets.ts';
import { setRole } from '#server/operator/set-role.ts';
import { decideSubmission } from '#server/submission/decide-submission.ts';
import { withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { aBucket, bucketsOfDays } from '#tests/support/board/builders.ts';
import { check, daysOf, send } from '#tests/support/board/checks.ts';
import {
  type TestContext,
  anEnrolledDevice,
  anOperator,
  testContext,
} from '#tests/support/board/context.ts';

/** More output than anybody has. */
const TOO_MUCH = { input: 1e6, output: 300e6 };

function anAdmin(ctx: TestContext, codename: string, role: 'admin' | 'moderator' = 'admin') {
  const { id } = ctx.store.operators.byCodename(codename) ?? anOperator(ctx, codename);
  setRole(ctx, { name: codename, role });
  return { role, actor: { operator_id: id, via: 'page' as const } };
}

async function aHeldBoard() {
  const ctx = testContext();
  const device = await anEnrolledDevice(ctx, 'ada');
  await send(ctx, device, bucketsOfDays(5, '2026-02-20'));
  const first = await send(ctx, device, [aBucket({ day: '2026-03-01', ...TOO_MUCH })]);
  const second = await send(ctx, device, [aBucket({ day: '2026-03-02', ...TOO_MUCH })]);
  check(ctx);
  return { ctx, device, first, second };
}

const ticketsOf = (ctx: TestContext) => readDecisions(ctx, 1).pending.map(({ ticket }) => ticket);
const stateOf = (ctx: TestContext, id: string) => ctx.store.submissions.byId(id)?.state;
const actionsOn = ({ store }: TestContext, id: string) =>
  store.auditLog.newest(50).filter(({ subject }) => subject === id);

describe('readDecisions()', () => {
  test('shows the days on hold among the days that count, and the finding in words', async () => {
    const { ctx, first } = await aHeldBoard();
    const decision = readDecisions(ctx, 1).pending.find(({ submission }) => {
      return submission.id === first.id;
    });

    expect(decision).toMatchObject({
      account: { codename: 'ada', role: 'operator' },
      isFirst: false,
      reason: null,
      copies: [],
      deadline: null,
      evidence: { measure: 'output', tool: null },
    });
    expect(decision?.findings[0]?.text).toContain('300,000,000 output tokens');
    expect(decision?.evidence.days.filter(({ held }) => held !== null)).toEqual([
      { date: '2026-03-01', own: null, held: 300e6 },
    ]);
    expect(decision?.evidence.days.filter(({ own }) => own !== null)).toHaveLength(5);
    expect(decision?.evidence.lines.map(({ value }) => value)).toEqual([50e6, 200e6]);
  });

  test("compares tokens with the median and a high percentile of everyone's usual days", async () => {
    const ctx = testContext();
    for (let at = 0; at < 20; at += 1) {
      const device = await anEnrolledDevice(ctx, `operator-${at}`);
      await send(ctx, device, [
        aBucket({ input: 1_000 * (at + 1), output: 0, cache_write: 0, cache_read: 0 }),
      ]);
    }
    check(ctx);
    const { id } = ctx.store.submissions.page({ operator_id: 1, signed: false }, 1e9, 1)[0] ?? {
      id: '',
    };
    decideSubmission(ctx, { kind: 'hold', id, reason: 'A question' });
    const [decision] = readDecisions(ctx, 1).pending;

    expect(decision?.reason).toBe('A question');
    expect(decision?.evidence.measure).toBe('total');
    expect(decision?.evidence.lines.map(({ value }) => Math.round(value))).toEqual([
      10_000, 19_000,
    ]);
  });

  test('shows copied days with the counts of both accounts', async () => {
    const ctx = testContext();
    const [ada, bob] = [await anEnrolledDevice(ctx, 'ada'), await anEnrolledDevice(ctx, 'bob')];
    const days = daysOf(1, 8);
    await send(ctx, ada, days);
    await send(ctx, bob, days);
    check(ctx);
    const [decision] = readDecisions(ctx, 1).pending;

    expect(decision?.account.codename).toBe('bob');
    expect(decision?.isFirst).toBe(true);
    const [copy] = decision?.copies ?? [];
    expect([copy?.codename, copy?.days.length, copy?.more]).toEqual(['ada', 8, 0]);
    expect(copy?.days.every(({ held, other }) => held.input === other.input)).toBe(true);
  });

  test('lists submissions for a challenge that closes soon first, then those that wait longest', async () => {
    const { ctx, first, second } = await aHeldBoard();
    const idsOf = () => readDecisions(ctx, 1).pending.map(({ submission }) => submission.id);
    expect(idsOf()).toEqual([first.id, second.id]);
    const [rules] = readRulesets(ctx);
    if (!rules) throw new Error('A board has ranking rules');
    const days = { first_day: '2026-03-02', last_day: '2026-03-12' };
    const request = { id: 'march', title: 'March', description: 'x', metric: 'yield', tool: null };
    createChallenge(
      ctx.store,
      { ...request, ...days, eligibility: {} },
      { ruleset: rules.ruleset, now: new Date('2026-03-01T00:00:00Z') },
    );

    expect(idsOf()).toEqual([second.id, first.id]);
    expect(readDecisions(ctx, 1).pending[0]?.deadline).toMatchObject({
      id: 'march',
      closes_at: '2026-03-15T00:00:00.000Z',
    });
  });
});

describe('decideAll()', () => {
  test('decides several with one reason, under the name of the admin', async () => {
    const { ctx, first, second } = await aHeldBoard();
    const admin = anAdmin(ctx, 'grace');

    const decided = await decideAll(ctx, admin, {
      kind: 'reject',
      tickets: ticketsOf(ctx),
      reason: 'Not plausible',
    });

    expect(decided).toEqual({ kind: 'reject', done: 2, refused: [] });
    for (const { id } of [first, second]) {
      expect(stateOf(ctx, id)).toBe('rejected');
      expect(actionsOn(ctx, id)).toMatchObject([
        { action: 'reject', actor: 'grace', via: 'page', reason: 'Not plausible' },
      ]);
    }
  });

  test('releases without a reason, but does not reject without one', async () => {
    const { ctx, first } = await aHeldBoard();
    const admin = anAdmin(ctx, 'grace');
    const tickets = ticketsOf(ctx).slice(0, 1);

    await expect(decideAll(ctx, admin, { kind: 'reject', tickets, reason: ' ' })).rejects.toThrow();
    expect(stateOf(ctx, first.id)).toBe('held');
    await decideAll(ctx, admin, { kind: 'release', tickets, reason: '' });
    expect(stateOf(ctx, first.id)).toBe('accepted');
  });

  test('changes nothing that another admin decided first, and says what was decided', async () => {
    const { ctx, first, second } = await aHeldBoard();
    const [grace, alan] = [anAdmin(ctx, 'grace'), anAdmin(ctx, 'alan')];
    const tickets = ticketsOf(ctx);
    await decideAll(ctx, grace, { kind: 'release', tickets: tickets.slice(0, 1), reason: 'Known' });

    const decided = await decideAll(ctx, alan, {
      kind: 'reject',
      tickets,
      reason: 'Not plausible',
    });

    expect(decided.done).toBe(1);
    expect(decided.refused).toEqual([
      expect.stringMatching(
        /^Decided first by grace \(release, 2026-.* UTC\): Known\. Submission .* is now accepted/,
      ),
    ]);
    expect([first, second].map(({ id }) => stateOf(ctx, id))).toEqual(['accepted', 'rejected']);
    expect(actionsOn(ctx, first.id)).toHaveLength(1);
  });

  test('applies only one of two decisions that run at the same time', async () => {
    const { ctx, first } = await aHeldBoard();
    const tickets = ticketsOf(ctx).slice(0, 1);
    const both = await Promise.all([
      decideAll(ctx, anAdmin(ctx, 'grace'), { kind: 'release', tickets, reason: '' }),
      decideAll(ctx, anAdmin(ctx, 'alan'), { kind: 'reject', tickets, reason: 'No' }),
    ]);

    expect(both.map(({ done }) => done).sort()).toEqual([0, 1]);
    expect(actionsOn(ctx, first.id)).toHaveLength(1);
  });

  test('notices a command, a new hold and a withdrawal in the meantime', async () => {
    const { ctx, first, second } = await aHeldBoard();
    const admin = anAdmin(ctx, 'grace');
    const tickets = ticketsOf(ctx);
    decideSubmission(ctx, { kind: 'hold', id: first.id, reason: 'I asked ada', by: COMMAND });
    await withdrawSubmission(ctx, { operator_id: 1, device_id: null }, second.id);

    const { done, refused } = await decideAll(ctx, admin, { kind: 'release', tickets, reason: '' });

    expect(done).toBe(0);
    expect(refused[0]).toMatch(/^Decided first by a command on the server \(hold, .*: I asked ada/);
    expect(refused[1]).toMatch(/is now withdrawn\. Nothing was changed$/);
  });

  test('lets moderators decide only about operators', async () => {
    const { ctx, first } = await aHeldBoard();
    const moderator = anAdmin(ctx, 'grace', 'moderator');
    anAdmin(ctx, 'ada', 'moderator');
    const tickets = ticketsOf(ctx).slice(0, 1);

    const { refused } = await decideAll(ctx, moderator, { kind: 'release', tickets, reason: '' });

    expect(refused).toEqual(['Only admins can change accounts of moderators and admins']);
    await expect(holdById(ctx, moderator, { id: first.id, reason: 'x' })).rejects.toThrow();
    expect(stateOf(ctx, first.id)).toBe('held');
  });
});
