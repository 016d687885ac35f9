import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Improvements } from '#core/contract/improvements.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { setDataOptOut } from '#server/operator/set-data-opt-out.ts';
import { readImprovements } from '#server/board/improvements.ts';
import { anActive } from '#tests/support/board/boards.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anOperator,
  publish,
  testContext,
} from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

let ctx: TestContext;

/** Twenty-eight days; every third has five times the fresh input. */
function uneven(): Bucket[] {
  return bucketsOfDays(28, '2026-02-10').map((bucket, at) => {
    return at % 3 === 0 ? { ...bucket, input: 5 * bucket.input } : bucket;
  });
}

function readOf(codename: string, limit = 5): Improvements {
  const operator_id = ctx.store.operators.byCodename(codename)?.id ?? 0;
  return readImprovements(ctx, { operator_id, device_id: null }, { limit });
}

beforeEach(() => {
  ctx = testContext();
  anActive(ctx, 'ada', uneven());
});

describe('readImprovements()', () => {
  test("diagnoses the caller's own days", () => {
    publish(ctx);

    const improvements = readOf('ada');

    expect(Improvements.parse(improvements)).toEqual(improvements);
    expect(improvements).toMatchObject({
      as_of: '2026-03-10',
      class_tier: 'rapids',
      from: '2025-12-11',
      to: '2026-03-10',
      next_class: { class_tier: 'falls', medians: [] },
      empty_because: null,
      total: 1,
    });
    expect(improvements.entries[0]).toMatchObject({
      leak: 'fresh_input',
      target: { from: 'own_best_quartile' },
      evidence: { days: 10, days_measured: 28, days_reached: 18 },
      attainability: 0.642857142857,
    });
    expect(readOf('ada', 1).entries).toEqual(improvements.entries.slice(0, 1));
  });

  test('uses the nearer median of five operators of the next class, without those who opted out', async () => {
    const better = { input: 700, output: 5000, cache_read: 400_000 };
    for (let at = 0; at < 5; at += 1) {
      anActive(ctx, `better-${at}`, bucketsOfDays(20, '2026-02-10', better));
    }
    publish(ctx);
    const target = () => readOf('ada').entries.find(({ leak }) => leak === 'fresh_input')?.target;

    expect(readOf('ada').next_class).toEqual({
      class_tier: 'falls',
      medians: [{ tool: 'claude-code', leverage: 571.428571429, velocity: 7.14285714286 }],
    });
    expect(target()).toEqual({
      ratio: 'leverage',
      value: 571.428571429,
      from: 'next_class_median',
    });

    const { id = 0 } = ctx.store.operators.byCodename('better-0') ?? {};
    await setDataOptOut(ctx, id, { opt_out: true });
    publish(ctx, 2);
    expect(readOf('ada').next_class?.medians).toMatchObject([{ leverage: null, velocity: null }]);
    expect(target()).toMatchObject({ from: 'own_best_quartile' });
  });

  test('leaves out self-reported days, and says why there are no suggestions', () => {
    anActive(ctx, 'hand', uneven(), 'self_reported');
    anOperator(ctx, 'nobody');
    publish(ctx);

    for (const codename of ['hand', 'nobody']) {
      expect(readOf(codename)).toMatchObject({
        class_tier: 'unclassed',
        next_class: null,
        empty_because: { code: 'no_tokens' },
        entries: [],
      });
    }
  });

  test('computes each result once, until the publication or the counts change', () => {
    const read = vi.spyOn(ctx.store.usage, 'signed');
    publish(ctx);
    read.mockClear();
    expect(readOf('ada', 1).entries).toEqual(readOf('ada').entries.slice(0, 1));
    expect(read).toHaveBeenCalledTimes(1);

    anActive(ctx, 'ada', bucketsOfDays(1, '2026-03-08', { input: 7 }));
    readOf('ada');
    expect(read).toHaveBeenCalledTimes(2);

    publish(ctx, 2);
    read.mockClear();
    readOf('ada');
    expect(read).toHaveBeenCalledTimes(1);
  });

  test('throws not_found for a deleted account, service_unavailable before the first board', () => {
    expect(() => readOf('ada')).toThrow(refusal('service_unavailable'));
    publish(ctx);
    expect(() => readOf('unknown')).toThrow(refusal('not_found'));
  });
});
