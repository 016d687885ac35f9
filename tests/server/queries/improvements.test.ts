import { beforeEach, describe, expect, test } from 'vitest';
import { Improvements } from '#core/contract/improvements.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { setDataOptOut } from '#server/commands/set-data-opt-out.ts';
import { readImprovements } from '#server/queries/improvements.ts';
import { anActive } from '#tests/support/boards.ts';
import { bucketsOfDays } from '#tests/support/builders.ts';
import { type TestContext, anOperator, publish, testContext } from '#tests/support/context.ts';
import { refusal } from '#tests/support/refusal.ts';

let ctx: TestContext;

/** Twenty days, of which each fourth has five times the fresh input. */
function uneven(): Bucket[] {
  return bucketsOfDays(20, '2026-02-10').map((bucket, at) => {
    return at % 4 === 0 ? { ...bucket, input: 5 * bucket.input } : bucket;
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
      total: 2,
    });
    expect(improvements.entries[0]).toMatchObject({
      leak: 'fresh_input',
      target: { from: 'own_best_quartile' },
      evidence: { days: 5, days_measured: 20 },
      attainability: 0.75,
    });
    expect(readOf('ada', 1).entries).toEqual(improvements.entries.slice(0, 1));
  });

  test('takes the median of five of the next class that is nearer, without who opted out', async () => {
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

  test('leaves out what was sent by hand, and says why nothing is found', () => {
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

  test('throws not_found for an account that is gone, service_unavailable before a board', () => {
    expect(() => readOf('ada')).toThrow(refusal('service_unavailable'));
    publish(ctx);
    expect(() => readOf('unknown')).toThrow(refusal('not_found'));
  });
});
