import { describe, expect, test } from 'vitest';
import { OperatorRecords, RecordsQuery } from '#core/contract/operators.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { LABEL_LENGTH } from '#core/schema/usage.ts';
import { readOperatorRecords } from '#server/board/operator-records.ts';
import { aBucket, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  anOperator,
  execute,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const list = (ctx: TestContext, query: Record<string, string> = {}, codename = 'ada') =>
  readOperatorRecords(ctx, codename, RecordsQuery.parse(query));

describe('readOperatorRecords()', () => {
  test("gives the server's own record of each bucket that counts, newest day first", async () => {
    const ctx = testContext();
    const device = await anEnrolledDevice(ctx, 'ada');
    const claimed = composeRecord(aBucket({ day: '2026-03-02' }));
    const context = { window: '1d', operator_id: 'secret', privacy_mode: 'identified' };
    const records = [composeRecord(aBucket({ cache_read: null })), { ...claimed, context }];
    await submit(ctx, device, [], { records });
    await submit(ctx, device, [aBucket({ day: '2026-03-02', output: 1 })]);

    const page = list(ctx);

    expect(OperatorRecords.parse(page)).toEqual(page);
    expect(page).toEqual({
      codename: 'ada',
      total: 2,
      entries: [
        composeRecord(aBucket({ day: '2026-03-02' })),
        composeRecord(aBucket({ cache_read: null })),
      ],
      next_cursor: null,
    });
  });

  test('includes self-reported buckets that count', async () => {
    const ctx = testContext();
    await submit(ctx, await anEnrolledDevice(ctx, 'ada'), [aBucket()]);
    execute(ctx, `UPDATE devices SET trust = 'self_reported'`);

    expect(list(ctx).total).toBe(1);
  });

  test('returns every record once in pages, for any names', async () => {
    const ctx = testContext();
    const device = await anEnrolledDevice(ctx, 'ada');
    const longest = '\u{1F600}'.repeat(LABEL_LENGTH);
    const buckets = bucketsOfDays(2, '2026-03-01').flatMap((bucket) => [
      bucket,
      { ...bucket, model: 'a.b "c" \\' },
      { ...bucket, model: 'é-_=+/' },
      { ...bucket, tool: longest, provider: longest, model: longest },
      { ...bucket, tool: longest, provider: longest, model: 'z' },
    ]);
    await submit(ctx, device, buckets);
    await submit(ctx, await anEnrolledDevice(ctx, 'ada'), [aBucket({ output: 1 })]);
    const whole = list(ctx);

    const found = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string> = { limit: '1', ...(cursor !== null && { cursor }) };
      const page = list(ctx, query);
      found.push(...page.entries);
      cursor = page.next_cursor;
    } while (cursor !== null);

    expect(whole.total).toBe(11);
    expect(found).toEqual(whole.entries);
  });

  test('is empty for operators without submissions', async () => {
    const ctx = testContext();
    await anEnrolledDevice(ctx, 'ada');

    expect(list(ctx)).toEqual({ codename: 'ada', total: 0, entries: [], next_cursor: null });
  });

  test('throws not_found for operators who are not in the log', () => {
    const ctx = testContext();
    anOperator(ctx, 'silent');

    expect(() => list(ctx, {}, 'silent')).toThrow(refusal('not_found'));
    expect(() => list(ctx, {}, 'nobody')).toThrow(refusal('not_found'));
  });

  test.each([
    '5',
    'x',
    '2026-03-01.1',
    '2026-03-01.1.',
    '2026-03-01.1.YQ',
    '2026-03-01.1.YQpiCmMKZA',
    '2026-03-01.x.YQpiCmM',
    '2026-03-01.1.YQpiCmM=',
  ])('throws query_invalid for the cursor %j', async (cursor) => {
    const ctx = testContext();
    await anEnrolledDevice(ctx, 'ada');

    expect(() => list(ctx, { cursor })).toThrow(refusal('query_invalid', '#/cursor'));
  });
});
