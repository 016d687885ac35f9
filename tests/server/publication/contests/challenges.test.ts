import { describe, expect, test } from 'vitest';
import { ChallengeQuery } from '#core/contract/challenges.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { cancelChallenge } from '#server/challenge/cancel-challenge.ts';
import { type ChallengeRequest, createChallenge } from '#server/challenge/create-challenge.ts';
import { decideSubmission } from '#server/submission/decide-submission.ts';
import { revokeDevice } from '#server/device/revoke-device.ts';
import { restoreSubmission, withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { Projection } from '#server/publication/projection.ts';
import { publish as publishAt } from '#server/publication/publish.ts';
import { readChallenge } from '#server/challenge/challenges.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import { deleteOperator } from '#tests/support/board/boards.ts';
import { type TestDevice, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  execute,
  publishAndKeep,
  query,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const ID = 'march-by-yield';

/** From 12 to 20 March. It closes at the end of the 22nd. */
function aChallenge(ctx: TestContext, over: Partial<ChallengeRequest> = {}): string {
  const request = {
    id: null,
    title: 'March by yield',
    description: 'A test.',
    metric: 'yield',
    tool: null,
    first_day: '2026-03-12',
    last_day: '2026-03-20',
    eligibility: {},
    ...over,
  };
  return createChallenge(ctx.store, request, { ruleset: ctx.ruleset, now: ctx.now() });
}

function at(ctx: TestContext, instant: string): void {
  ctx.clock.nowMs = Date.parse(instant);
}

/** All days of the challenge, with this much output. */
function daysOf(output: number, over: Partial<Bucket> = {}): Bucket[] {
  return bucketsOfDays(9, '2026-03-12', { output, ...over });
}

function standingsOf(ctx: TestContext, over: object = {}) {
  return readChallenge(ctx, ID, ChallengeQuery.parse(over));
}

function namesOf(ctx: TestContext) {
  return standingsOf(ctx).entries.map(({ codename }) => codename);
}

/** Three participants, published while late uploads still count. */
async function aScoring() {
  const ctx = testContext();
  aChallenge(ctx);
  at(ctx, '2026-03-21T10:00:00.000Z');
  const devices: Record<string, TestDevice> = {};
  for (const [place, name] of ['ada', 'bob', 'eve'].entries()) {
    devices[name] = await anEnrolledDevice(ctx, name);
    await submit(ctx, devices[name], daysOf(30_000 - 10_000 * place));
  }
  publishAndKeep(ctx);
  return { ctx, devices: devices as Record<'ada' | 'bob' | 'eve', TestDevice> };
}

/** The same, complete and final. */
async function aComplete() {
  const scoring = await aScoring();
  at(scoring.ctx, '2026-03-23T00:00:00.000Z');
  publishAndKeep(scoring.ctx);
  return scoring;
}

describe('standings', () => {
  test('count the signed usage of its days and tool, ranked as boards are', async () => {
    const ctx = testContext();
    aChallenge(ctx, { tool: 'claude-code' });
    at(ctx, '2026-03-16T10:00:00.000Z');
    const ada = await anEnrolledDevice(ctx, 'ada');
    await submit(ctx, ada, [
      ...bucketsOfDays(20, '2026-02-20', { output: 900_000 }),
      ...bucketsOfDays(5, '2026-03-12', { output: 20_000 }),
      ...bucketsOfDays(5, '2026-03-12', { output: 90_000, tool: 'codex' }),
    ]);
    const bob = await anEnrolledDevice(ctx, 'bob');
    await submit(ctx, bob, bucketsOfDays(2, '2026-03-12'));
    publishAndKeep(ctx);

    const { log_index, status, total, unranked_total, entries } = standingsOf(ctx);
    expect({ status, total, unranked_total }).toEqual({
      status: 'active',
      total: 0,
      unranked_total: 2,
    });
    expect(log_index).toBe(ctx.publications.current()?.log_index);
    expect(entries).toEqual([]);

    at(ctx, '2026-03-18T10:00:00.000Z');
    await submit(ctx, ada, bucketsOfDays(7, '2026-03-12', { output: 20_000 }));
    publishAndKeep(ctx);

    expect(standingsOf(ctx).entries).toEqual([
      {
        place: 1,
        rank: 1,
        rank_range: [1, 1],
        codename: 'ada',
        display_name: null,
        value: 16528.9256198,
        conservative: 5180.089896,
        interval: [2390.00647459, 114311.565701],
        total: 7 * 1_121_100,
        active_days: 7,
      },
    ]);
  });

  test('begin with a challenge that is created while the process runs', async () => {
    const ctx = testContext();
    const projection = new Projection(ctx.ruleset);
    const device = await anEnrolledDevice(ctx, 'ada');
    await submit(ctx, device, bucketsOfDays(9, '2026-03-01'));
    const publish = () => publishAt(ctx.store, projection, ctx.clock.nowMs).state.challenges;
    expect(publish()).toEqual([]);

    aChallenge(ctx, { first_day: '2026-03-10' });
    const [challenge] = publish();
    expect(challenge?.unranked).toHaveLength(0);
    await submit(ctx, device, bucketsOfDays(1, '2026-03-10'));
    expect(publish()[0]?.unranked).toHaveLength(1);
  });

  test('continue with a cursor of their publication', async () => {
    const { ctx } = await aScoring();
    const first = standingsOf(ctx, { limit: '2' });
    expect(first).toMatchObject({
      total: 3,
      next_cursor: expect.stringMatching(/^\d+\.2$/) as string,
      status: 'scoring',
    });
    const cursor = first.next_cursor;
    expect(standingsOf(ctx, { cursor }).entries).toMatchObject([{ place: 3, codename: 'eve' }]);
    expect(() => standingsOf(ctx, { cursor: '99.2' })).toThrow(refusal('cursor_expired'));
    expect(() => standingsOf(ctx, { cursor: '0.1' })).toThrow(refusal('query_invalid'));
    expect(() => standingsOf(ctx, { cursor: 'x' })).toThrow(refusal('query_invalid'));
  });

  test('do not exist for a canceled challenge', async () => {
    const { ctx } = await aScoring();
    cancelChallenge(ctx.store, { id: ID, reason: 'A mistake', now: ctx.now() });
    expect(standingsOf(ctx)).toMatchObject({
      status: 'cancelled',
      cancelled_reason: 'A mistake',
      total: 0,
      log_index: null,
    });
    at(ctx, '2026-03-23T00:00:00.000Z');
    publishAndKeep(ctx);
    expect(standingsOf(ctx)).toMatchObject({ frozen_at: null, total: 0 });
  });
});

describe('late uploads', () => {
  test('count until the last millisecond before the challenge closes, and not afterwards', async () => {
    const { ctx, devices } = await aScoring();
    at(ctx, '2026-03-22T23:59:59.999Z');
    await submit(ctx, devices.bob, daysOf(40_000));
    at(ctx, '2026-03-23T00:00:00.000Z');
    await submit(ctx, devices.eve, daysOf(90_000));
    const late = await anEnrolledDevice(ctx, 'late');
    await submit(ctx, late, daysOf(95_000));
    at(ctx, '2026-03-25T10:00:00.000Z');
    publishAndKeep(ctx);

    const { entries, frozen_at, status } = standingsOf(ctx);
    expect([status, frozen_at]).toEqual(['complete', '2026-03-25T10:00:00.000Z']);
    expect(entries).toMatchObject([
      { codename: 'bob', value: 33057.8512397 },
      { codename: 'ada', value: 24793.3884298 },
      { codename: 'eve', value: 8264.46280992 },
    ]);
  });

  test('of another device add up only if they were received before, and equal ones count once', async () => {
    const { ctx } = await aScoring();
    await submit(ctx, await anEnrolledDevice(ctx, 'eve'), daysOf(10_000));
    at(ctx, '2026-03-23T08:00:00.000Z');
    const second = await anEnrolledDevice(ctx, 'eve');
    await submit(ctx, second, daysOf(500_000, { model: 'another' }));
    publishAndKeep(ctx);

    expect(namesOf(ctx)).toEqual(['ada', 'bob', 'eve']);
    const last = { value: 8264.46280992, total: 9 * 1_111_100 };
    expect(standingsOf(ctx).entries.at(-1)).toMatchObject(last);
  });
});

describe('final standings', () => {
  test('are stored once, even over a restart', async () => {
    const { ctx, devices } = await aComplete();
    const before = standingsOf(ctx);
    const rows = query(ctx, 'SELECT * FROM challenge_standings');
    at(ctx, '2026-03-24T00:00:00.000Z');
    await submit(ctx, devices.eve, daysOf(90_000));
    publishAndKeep(ctx);

    expect(standingsOf(ctx)).toEqual(before);
    expect(query(ctx, 'SELECT * FROM challenge_standings')).toEqual(rows);
    expect(before).toMatchObject({ frozen_at: '2026-03-23T00:00:00.000Z', total: 3 });
    expect(standingsOf(ctx, { limit: '1', cursor: '0.1' }).entries).toMatchObject([{ place: 2 }]);
  });

  test('are stored again after an interruption', async () => {
    const { ctx } = await aScoring();
    execute(ctx, 'INSERT INTO challenge_places VALUES (1, 1, 1, 1, 1), (1, 9, 9, 9, 9)');
    at(ctx, '2026-03-23T00:00:00.000Z');
    publishAndKeep(ctx);
    expect(standingsOf(ctx).entries.map(({ place }) => place)).toEqual([1, 2, 3]);
  });

  test('keep only the place of an operator who left, hid or lost a submission', async () => {
    const { ctx } = await aComplete();
    const before = standingsOf(ctx).entries;
    deleteOperator(ctx, 'ada');
    const [bob, eve] = ['bob', 'eve'].map((name) => ctx.store.operators.byCodename(name)?.id ?? 0);
    changeVisibility(ctx, bob as number, { privacy_mode: 'private' });
    expect(standingsOf(ctx).entries).toEqual([
      blank(before[0]),
      blank(before[1]),
      expect.objectContaining({ codename: 'eve' }),
    ]);

    changeVisibility(ctx, bob as number, { privacy_mode: 'anonymous' });
    execute(ctx, `UPDATE submissions SET state = 'rejected' WHERE operator_id = ${eve}`);
    expect(standingsOf(ctx).entries).toEqual([
      blank(before[0]),
      { ...before[1], codename: expect.stringMatching(/^anonymous-/) as unknown },
      blank(before[2]),
    ]);
  });

  test('are not affected by earlier exclusions', async () => {
    const { ctx, devices } = await aScoring();
    const { answer } = await submit(ctx, devices.eve, daysOf(10_000, { model: 'other' }));
    execute(ctx, `UPDATE submissions SET state = 'rejected' WHERE id = '${answer.id}'`);
    at(ctx, '2026-03-23T00:00:00.000Z');
    publishAndKeep(ctx);
    expect(namesOf(ctx)).toContain('eve');
  });

  test.each(['hold', 'reject', 'withdraw', 'compromised'] as const)(
    'have the same places whether something is excluded before they are made or after: %s',
    async (kind) => {
      const [before, after] = [await aLateDecision(), await aLateDecision()];
      await decide(before, kind);
      at(before.ctx, '2026-03-25T10:00:00.000Z');
      publishAndKeep(before.ctx);
      at(after.ctx, '2026-03-25T10:00:00.000Z');
      publishAndKeep(after.ctx);
      expect(namesOf(after.ctx)).toEqual(['ada', 'bob', 'eve']);
      await decide(after, kind);

      expect(namesOf(before.ctx)).toEqual([null, 'bob', 'eve']);
      expect(standingsOf(before.ctx).entries).toEqual(standingsOf(after.ctx).entries);
    },
  );

  test('exclude submissions that were on hold at the close, even if released before they are made', async () => {
    const { ctx, devices } = await aScoring();
    const { answer } = await submit(ctx, devices.eve, daysOf(90_000));
    decideSubmission(ctx, { kind: 'hold', id: answer.id, reason: 'So much' });
    at(ctx, '2026-03-23T08:00:00.000Z');
    decideSubmission(ctx, { kind: 'release', id: answer.id, reason: 'Explained' });
    publishAndKeep(ctx);
    expect(namesOf(ctx)).toEqual(['ada', 'bob', 'eve']);

    decideSubmission(ctx, { kind: 'reject', id: answer.id, reason: 'After all' });
    expect(namesOf(ctx)).toEqual(['ada', 'bob', 'eve']);
  });

  test.each(['eve', 'ada'])('include submissions restored by then: %s first', async (name) => {
    const { ctx, devices } = await aScoring();
    const { id } = (await submit(ctx, devices.eve, daysOf(90_000))).answer;
    const eve = { operator_id: ctx.store.operators.byCodename('eve')?.id ?? 0, device_id: null };
    await withdrawSubmission(ctx, eve, id);
    if (name === 'eve') await restoreSubmission(ctx, eve, id);
    at(ctx, '2026-03-23T08:00:00.000Z');
    await withdrawSubmission(ctx, eve, id);
    await restoreSubmission(ctx, eve, id);
    publishAndKeep(ctx);
    expect(namesOf(ctx)[0]).toBe(name);
  });

  test('use the ranking rules from when the challenge was created', async () => {
    const { ctx } = await aScoring();
    const change = `replace(eligibility, '"active_days":7', '"active_days":10')`;
    execute(ctx, `UPDATE challenges SET eligibility = ${change}`);
    at(ctx, '2026-03-23T00:00:00.000Z');
    publishAndKeep(ctx);
    expect(standingsOf(ctx)).toMatchObject({ total: 0, unranked_total: 3 });
  });
});

type LateDecision = Awaited<ReturnType<typeof aLateDecision>>;

/** The first of three. Decisions about its days are made after the challenge has closed. */
async function aLateDecision() {
  const { ctx, devices } = await aScoring();
  const { answer } = await submit(ctx, devices.ada, daysOf(31_000));
  at(ctx, '2026-03-23T08:00:00.000Z');
  return { ctx, id: answer.id };
}

async function decide(
  { ctx, id }: LateDecision,
  kind: 'compromised' | 'hold' | 'reject' | 'withdraw',
) {
  const submission = ctx.store.submissions.byId(id);
  const caller = { operator_id: submission?.operator_id ?? 0, device_id: null };
  if (kind === 'withdraw') await withdrawSubmission(ctx, caller, id);
  else if (kind !== 'compromised') decideSubmission(ctx, { kind, id, reason: 'A test' });
  else {
    const device = ctx.store.devices.byId(submission?.device_id ?? 0);
    revokeDevice(ctx, caller, device?.public_id ?? '', 'compromised');
  }
}

/** A place without its owner. */
function blank(entry: object | undefined) {
  const numbers = { value: null, conservative: null, interval: null, total: null };
  const nobody = { codename: null, ...numbers, active_days: null };
  return { ...entry, ...nobody };
}
