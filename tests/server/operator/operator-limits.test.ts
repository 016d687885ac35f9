import { describe, expect, test } from 'vitest';
import { anActive } from '#tests/support/board/boards.ts';
import { aBucket, bucketsOfDays } from '#tests/support/board/builders.ts';
import { submitRecords } from '#server/submission/submit-records.ts';
import { PROBLEMS } from '#core/contract/problems.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { anEnrolledDevice, submit, testContext } from '#tests/support/board/context.ts';

test('an operator can have at most 100,000 buckets on all devices together', async () => {
  const ctx = testContext();
  const years = Array.from({ length: 100 }, (_, at) =>
    bucketsOfDays(1000, '2023-06-01', { model: `model ${at}` }),
  );
  anActive(ctx, 'ada', years.flat());
  const device = await anEnrolledDevice(ctx, 'ada');
  const bucket = aBucket({ day: '2026-03-02' });

  await expect(submit(ctx, device, [bucket])).rejects.toMatchObject({ code: 'too_many_sources' });
  expect(ctx.store.buckets.totals(1).standing).toBe(100_000);
});

/** Buckets with a number of providers, models or both. */
function ofSources(count: number, sourceOf: (at: number) => object) {
  return Array.from({ length: count }, (_, at) => aBucket(sourceOf(at)));
}

const perProvider = (at: number) => ({ provider: `provider ${at}` });
const perPair = (at: number) => ({ provider: `p${at % 2}`, model: `m${at >> 1}` });

describe('the sources of an operator', () => {
  test.each([
    ['50 providers', 50, perProvider],
    ['200 pairs of provider and model', 200, perPair],
  ])('are at most %s', async (what, most, sourceOf) => {
    const ctx = testContext();
    const device = await anEnrolledDevice(ctx, 'ada');
    await submit(ctx, device, ofSources(most, sourceOf));

    const more = submit(ctx, device, [aBucket(sourceOf(most))]);

    await expect(more).rejects.toMatchObject({
      code: 'too_many_sources',
      message: expect.stringContaining(`${most + 1} ${what.slice(String(most).length + 1)}`),
    });
  });

  test('are limited for self-reports too', async () => {
    const ctx = testContext();
    anActive(ctx, 'ada', ofSources(50, perProvider));
    const text = JSON.stringify(
      composeRecord(aBucket({ provider: 'one more', day: '2026-03-02' })),
    );

    const more = submitRecords(ctx, { operator_id: 1 }, { text, idempotencyKey: undefined });

    await expect(more).rejects.toMatchObject({ code: 'too_many_sources' });
  });

  test('can exceed the limits in changes that add none', async () => {
    const ctx = testContext();
    const many = ofSources(300, perProvider);
    anActive(ctx, 'ada', many);
    const device = await anEnrolledDevice(ctx, 'ada');
    const known = many.map((bucket) => ({ ...bucket, day: '2026-03-02' }));

    await expect(submit(ctx, device, known)).resolves.toMatchObject({ created: true });
    await expect(
      submit(ctx, device, [aBucket({ ...perProvider(300), day: '2026-03-02' })]),
    ).rejects.toMatchObject({ code: 'too_many_sources' });
  });

  test('are rejected in a submission of 5,000 providers, with advice', async () => {
    const ctx = testContext();
    const device = await anEnrolledDevice(ctx, 'ada');

    const sending = submit(ctx, device, ofSources(5000, perProvider));

    await expect(sending).rejects.toMatchObject({
      code: 'too_many_sources',
      message: expect.stringMatching(
        /5000 providers \(.* 50\), 5000 pairs of provider and model \(.* 200\)/,
      ) as string,
    });
    expect(PROBLEMS.too_many_sources).toMatchObject({
      status: 422,
      hint: expect.stringMatching(/use least\..* 50 providers/),
    });
  });
});
