import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bucketKey } from '#core/domain/counting/bucket.ts';
import {
  type CountedBucket,
  type CountedSubmission,
  dayAndTool,
  isCorrected,
  settleGroup,
} from '#core/domain/counting/counting.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { aBucket } from '#tests/support/board/builders.ts';
import { replay } from '#tests/support/board/replay.ts';
import { anySubmission, settled } from '#tests/support/http/settled.ts';

const counted = (buckets: readonly CountedBucket[]) =>
  buckets.filter(({ counts }) => counts === 1).map(({ device_id, input }) => [device_id, input]);

const small = aBucket({ input: 1, output: 1, cache_write: 1, cache_read: 1 });
const other = aBucket({ input: 4, output: 0, cache_write: 0, cache_read: 0 });
const large = aBucket({ input: 5, output: 0, cache_write: null, cache_read: null });

describe('settleGroup()', () => {
  test('replaces a bucket by a larger or equal one, but not by a smaller one', () => {
    expect(counted(settled({ buckets: [small] }, { buckets: [large] }))).toEqual([[1, 5]]);
    expect(counted(settled({ buckets: [small] }, { buckets: [other] }))).toEqual([[1, 4]]);
    expect(counted(settled({ buckets: [large] }, { buckets: [small] }))).toEqual([[1, 5]]);
  });

  test('replaces whole buckets, never field by field', () => {
    const [stands] = settled({ buckets: [small] }, { buckets: [large] });

    expect(stands).toMatchObject({ ...large, log_index: 2, counts: 1 });
  });

  test('lowers and removes buckets by a correction, only in its tool and days', () => {
    const correction = { tool: 'claude-code', from: '2026-03-01', to: '2026-03-01' };
    const second = { ...large, model: 'second' };

    const after = settled({ buckets: [large, second] }, { correction, buckets: [small] });

    expect(counted(after)).toEqual([[1, 1]]);
  });

  test('removes everything by a correction without buckets', () => {
    const correction = { tool: 'claude-code', from: '2026-02-01', to: '2026-03-01' };

    expect(settled({ buckets: [large] }, { correction, buckets: [] })).toEqual([]);
  });

  test('does not apply a correction to other devices', () => {
    const correction = { tool: 'claude-code', from: '2026-03-01', to: '2026-03-01' };

    const after = settled({ device_id: 2, buckets: [large] }, { correction, buckets: [small] });

    expect(counted(after)).toEqual([
      [2, 5],
      [1, 1],
    ]);
  });

  test('adds up devices', () => {
    const after = settled({ buckets: [small] }, { device_id: 2, buckets: [large] });

    expect(counted(after)).toEqual([
      [1, 1],
      [2, 5],
    ]);
  });

  test('counts equal buckets of two devices once, and both again when one grows', () => {
    const equal = [{ buckets: [small] }, { device_id: 2, buckets: [small] }];

    expect(counted(settled(...equal))).toEqual([[1, 1]]);
    expect(counted(settled(...equal, { buckets: [large] }))).toEqual([
      [2, 1],
      [1, 5],
    ]);
    expect(counted(settled(...equal, { device_id: 2, buckets: [large] }))).toEqual([
      [1, 1],
      [2, 5],
    ]);
  });

  test('counts the first of several equal buckets in the log', () => {
    const [first, second] = [{ buckets: [small] }, { device_id: 2, buckets: [small] }];

    expect(counted(settled(second, first))).toEqual([[2, 1]]);
    expect(counted(settled(first, second, first))).toEqual([[2, 1]]);
    expect(counted(settled(second, first, second))).toEqual([[1, 1]]);
  });

  test.each<Partial<Bucket>>([
    { input: 2 },
    { cache_write: null },
    { cache_read: 0 },
    { model: 'other' },
    { provider: 'other' },
  ])('counts the buckets of both devices if they differ in %j', (over) => {
    const after = settled({ buckets: [small] }, { device_id: 2, buckets: [{ ...small, ...over }] });

    expect(counted(after)).toHaveLength(2);
  });

  test('distinguishes null from zero in equal totals', () => {
    const zero = aBucket({ input: 5, output: 0, cache_write: 0, cache_read: 0 });

    expect(counted(settled({ buckets: [large] }, { device_id: 2, buckets: [zero] }))).toHaveLength(
      2,
    );
  });

  test('ignores self-reported buckets if signed ones exist for the same day and tool', () => {
    const byHand = { device_id: 9, trust: 'self_reported' as const };
    const elsewhere = { ...small, model: 'other', provider: 'other' };

    expect(counted(settled({ ...byHand, buckets: [large] }, { buckets: [elsewhere] }))).toEqual([
      [1, 1],
    ]);
    expect(counted(settled({ buckets: [elsewhere] }, { ...byHand, buckets: [large] }))).toEqual([
      [1, 1],
    ]);
  });

  test('counts self-reported buckets again if a correction removes the signed ones', () => {
    const byHand = { device_id: 9, trust: 'self_reported' as const, buckets: [large] };
    const correction = { tool: 'claude-code', from: '2026-03-01', to: '2026-03-01' };

    const after = settled(byHand, { buckets: [small] }, { correction, buckets: [] });

    expect(counted(after)).toEqual([[9, 5]]);
  });

  test('always replaces a self-reported bucket, even by a smaller one', () => {
    const byHand = { device_id: 9, trust: 'self_reported' as const };

    const after = settled({ ...byHand, buckets: [large] }, { ...byHand, buckets: [small] });

    expect(counted(after)).toEqual([[9, 1]]);
  });
});

describe('Replay', () => {
  test('gives the same result as settling step by step', () => {
    fc.assert(
      fc.property(fc.array(anySubmission, { maxLength: 14 }), (drawn) => {
        const submissions = drawn.map((one, at) => ({ ...one, log_index: at + 1 }));

        expect(stepByStep(submissions)).toEqual(sorted(replay(submissions)));
      }),
      { numRuns: 500 },
    );
  });
});

describe('isCorrected()', () => {
  test.each([
    ['2026-02-28', 'claude-code', false],
    ['2026-03-01', 'claude-code', true],
    ['2026-03-03', 'claude-code', true],
    ['2026-03-04', 'claude-code', false],
    ['2026-03-02', 'codex', false],
  ])('covers the first to the last day, for its tool: %s %s', (day, tool, expected) => {
    const correction = { tool: 'claude-code', from: '2026-03-01', to: '2026-03-03' };

    expect(isCorrected({ day, tool }, correction)).toBe(expected);
  });
});

/** Like the board: settles each affected group separately. */
function stepByStep(submissions: readonly CountedSubmission[]): unknown[] {
  const groups = new Map<string, CountedBucket[]>();
  for (const submission of submissions) {
    const { correction, buckets } = submission;
    const corrected = [...groups.values()]
      .flat()
      .filter((bucket) => correction && isCorrected(bucket, correction));
    for (const name of new Set([...corrected, ...buckets].map(dayAndTool))) {
      const own = buckets.filter((bucket) => dayAndTool(bucket) === name);
      groups.set(name, settleGroup(groups.get(name) ?? [], { ...submission, buckets: own }));
    }
  }
  return sorted([...groups.values()].flat());
}

function sorted(buckets: readonly CountedBucket[]): CountedBucket[] {
  const place = (bucket: CountedBucket) => `${bucket.device_id} ${bucketKey(bucket)}`;
  return [...buckets].sort((a, b) => (place(a) < place(b) ? -1 : 1));
}
