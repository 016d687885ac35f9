import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundedChange } from '#core/domain/peers/bounded-change.ts';
import { totalOf } from '#core/domain/counting/bucket.ts';
import { LEAKS, ratioOf } from '#core/domain/peers/leaks.ts';
import { unroundedMetric } from '#core/domain/metrics/metrics.ts';
import { bestQuartile, toolDays } from '#core/domain/peers/tool-days.ts';

const source = { tool: 'cli', provider: 'acme', model: 'opus', trust: 'signed' } as const;
const count = (max: number) => fc.integer({ min: 0, max });
const days = fc.array(
  fc.record({
    input: count(20_000),
    output: count(20_000),
    cache_write: count(100_000),
    cache_read: count(1_000_000),
  }),
  { minLength: 1, maxLength: 40 },
);

const yieldOf = (counts: Parameters<typeof totalOf>[0]) => unroundedMetric('yield', counts) ?? 0;
const slightlyOver = 1 + 1e-9;

describe('boundedChange()', () => {
  test.each(LEAKS.map((leak) => [leak.name, leak] as const))(
    'of %s keeps output and target, and no day beats the best quarter',
    (_, leak) => {
      fc.assert(
        fc.property(days, (counts) => {
          const usage = counts.map((bucket, day) => ({ ...bucket, day, source }));
          const measured = toolDays(usage, leak, 10_000);
          const target = bestQuartile(measured.map(({ ratio }) => ratio));
          const ceiling = bestQuartile(measured.map((day) => day.yield));
          for (const { before, after, tokens } of boundedChange(measured, leak, target)) {
            expect(tokens).toBeGreaterThan(0);
            expect(after.output).toBe(before.counts.output);
            expect(Object.values(after).every((pillar) => Number.isInteger(pillar))).toBe(true);
            expect(ratioOf(leak.ratio, after)).toBeLessThanOrEqual(target * slightlyOver);
            expect(yieldOf(after)).toBeLessThanOrEqual(ceiling * slightlyOver);
            const isKept = totalOf(after) === before.total;
            expect(isKept).toBe(leak.name !== 'low_transmission');
          }
        }),
        { numRuns: 200 },
      );
    },
  );
});
