import { describe, expect, test } from 'vitest';
import { createEnrollmentCode } from '#server/device/create-enrollment-code.ts';
import { createChallenge } from '#server/challenge/create-challenge.ts';
import { DEFAULT_SLICE } from '#core/domain/board/slices.ts';
import type { Publisher } from '#server/publication/publisher.ts';
import { DAY_MS, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  publishAndKeep,
  query,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { keptRows } from '#tests/support/board/kept-days.ts';
import { aPublisher } from '#tests/support/board/publisher.ts';

const HOUR_MS = 60 * 60_000;

/** A publisher whose process runs while the clock is set. */
async function aPublisherOf(ctx: TestContext) {
  const steady = { nowMs: 0 };
  const told: object[] = [];
  const publisher: Publisher = aPublisher(ctx, {
    steadyMs: () => steady.nowMs,
    logger: {
      ...ctx.logger,
      warn: (event, fields) => void told.push({ event, ...fields }),
    },
  });
  await publisher.start();
  /** Publishes after a while in which the clock ran normally and was also set. */
  const publishAfter = async (passedMs: number, setMs = 0) => {
    steady.nowMs += passedMs;
    ctx.clock.nowMs += passedMs + setMs;
    await publisher.publish();
  };
  return { publishAfter, told, publisher };
}

describe('a clock that is set', { timeout: 30_000 }, () => {
  test('is reported, and the board continues with its day', async () => {
    const ctx = testContext();
    const { publishAfter, told, publisher } = await aPublisherOf(ctx);

    await publishAfter(300_000, 2 * DAY_MS);
    expect(publisher.edition?.publication.as_of).toBe('2026-03-12');
    await publishAfter(300_000, -2 * DAY_MS);

    expect(publisher.edition?.publication.as_of).toBe('2026-03-10');
    expect(told).toEqual([
      { event: 'clock_jumped', seconds: 172_800 },
      { event: 'clock_jumped', seconds: -172_800 },
    ]);
  });

  test('ends no challenge and deletes nothing, unless it stays set for an hour', async () => {
    const ctx = testContext();
    const request = {
      id: null,
      title: 'Sprint',
      description: 'A test.',
      metric: 'yield' as const,
      tool: null,
      first_day: '2026-03-10',
      last_day: '2026-03-12',
      eligibility: {},
    };
    const id = createChallenge(ctx.store, request, { ruleset: ctx.ruleset, now: ctx.now() });
    await submit(ctx, await anEnrolledDevice(ctx, 'ada'), bucketsOfDays(1, '2026-03-10'));
    createEnrollmentCode(ctx, ctx.store.operators.byCodename('ada')?.id ?? 0);
    const { publishAfter } = await aPublisherOf(ctx);
    const frozen = () => ctx.store.challenges.byId(id)?.frozen_at;
    const codes = () => query(ctx, 'SELECT 1 FROM enrollment_codes').length;
    const before = codes();

    await publishAfter(60_000, 10 * DAY_MS);
    expect([frozen(), codes()]).toEqual([null, before]);
    await publishAfter(60_000, -10 * DAY_MS);
    expect([frozen(), codes()]).toEqual([null, before]);

    await publishAfter(60_000, 10 * DAY_MS);
    await publishAfter(HOUR_MS);
    expect([typeof frozen(), codes()]).toEqual(['string', 0]);
  });
});

describe('a stored day', { timeout: 30_000 }, () => {
  const at = (ctx: TestContext, instant: string) => {
    ctx.clock.nowMs = Date.parse(instant);
    return publishAndKeep(ctx);
  };
  const kept = (ctx: TestContext, day: string) => ctx.store.keptDays.publication(day);
  const send = async (ctx: TestContext, name: string) =>
    submit(ctx, await anEnrolledDevice(ctx, name), bucketsOfDays(10, '2026-03-01'));

  test('is stored again when it really ends, if the clock was ahead in between', async () => {
    const ctx = testContext();
    const early = at(ctx, '2026-03-10T11:00:00Z');
    at(ctx, '2026-03-12T11:00:00Z');
    expect(kept(ctx, '2026-03-10')?.log_index).toBe(early.log_index);

    ctx.clock.nowMs = Date.parse('2026-03-10T12:00:00Z');
    await send(ctx, 'ada');
    const last = at(ctx, '2026-03-10T23:59:00Z');
    at(ctx, '2026-03-11T00:01:00Z');

    expect(kept(ctx, '2026-03-10')).toMatchObject({
      log_index: last.log_index,
      generated_at: last.generated_at,
    });
    const rows = keptRows(ctx.store.keptDays, '2026-03-10', DEFAULT_SLICE);
    expect(rows.map(({ codename }) => codename)).toEqual(['ada']);
  });

  test('stays unchanged if the clock was set back', async () => {
    const ctx = testContext();
    await send(ctx, 'ada');
    const last = at(ctx, '2026-03-10T23:59:00Z');
    at(ctx, '2026-03-11T12:00:00Z');
    await send(ctx, 'bob');
    ctx.clock.nowMs = Date.parse('2026-03-10T12:00:00Z');
    await send(ctx, 'cyd');
    at(ctx, '2026-03-10T12:00:00Z');

    at(ctx, '2026-03-11T12:00:00Z');

    expect(kept(ctx, '2026-03-10')?.log_index).toBe(last.log_index);
  });
});
