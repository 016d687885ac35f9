import { describe, expect, test } from 'vitest';
import {
  besideText,
  cascadeText,
  classRange,
  decisiveReasons,
  higherOf,
  operatorDescription,
  peersWithReasons,
  percentileText,
  reasonOfMetric,
  yieldText,
} from '#components/operator/operator-words.ts';
import { operatorViewOf } from '#core/domain/board/operator-view.ts';
import type { UnrankedReason } from '#core/schema/board.ts';
import type { PeerGroups } from '#core/schema/peer.ts';
import type { MetricStanding, OperatorStanding } from '#core/schema/operator.ts';

const STANDING: MetricStanding = {
  value: 1234.5,
  interval: [1000, 1500],
  rank: 3,
  rank_range: [2, 5],
  total: 214,
  percentile: 0.836,
  median: 500,
  coverage: 1,
  active_days: 20,
  reasons: [],
};

test('a class is described by its range of yields', () => {
  expect(classRange('rill')).toBe('below 0.1');
  expect(classRange('falls')).toBe('from 1,000 to below 10,000');
  expect(classRange('ocean')).toBe('of at least 10,000,000');
});

describe('percentileText()', () => {
  test('is rounded down', () => {
    expect(percentileText(STANDING)).toBe('ahead of 83% of 214 ranked operators');
    const almost = { ...STANDING, percentile: 0.9999 };
    expect(percentileText(almost)).toBe('ahead of 99% of 214 ranked operators');
    expect(percentileText({ ...STANDING, percentile: 0.29 })).toContain(' 29% ');
  });

  test('is null if the percentile is unknown or rounds to zero', () => {
    expect(percentileText({ ...STANDING, percentile: null })).toBeNull();
    expect(percentileText({ ...STANDING, percentile: 0 })).toBeNull();
    expect(percentileText({ ...STANDING, percentile: 0.004 })).toBeNull();
  });
});

describe('operatorDescription()', () => {
  const view = operatorViewOf(new URLSearchParams());
  const describeAs = (over: Partial<MetricStanding>) => {
    const standing = { metrics: { yield: { ...STANDING, ...over } } } as OperatorStanding;
    return operatorDescription({ codename: 'ada', view, standing });
  };

  test('contains value, window and rank', () => {
    expect(describeAs({})).toMatch(/^ada: .*1,234\.50.*last 30 days.*rank 3 of 214/);
    expect(describeAs({ rank: null })).toMatch(/1,234\.50.*not ranked/);
    expect(describeAs({ value: null, rank: null })).toMatch(/no yield.*not ranked/);
    expect(operatorDescription({ codename: 'ada', view, standing: null })).toMatch(
      /^ada: .*last 30 days/,
    );
  });
});

describe('yieldText()', () => {
  const textOf = (value: number | null, leverage: number | null, velocity: number | null) => {
    const of = (each: number | null) => ({ ...STANDING, value: each });
    const metrics = { yield: of(value), leverage: of(leverage), velocity: of(velocity) };
    return yieldText({ metrics } as OperatorStanding);
  };

  test('explains the value by its two factors', () => {
    expect(textOf(183, 71, 2.578)).toMatch(
      /183.* 71(?:\.0)? tokens reused.* 2\.578 tokens written/,
    );
  });

  test('is null without a value', () => {
    expect(textOf(null, null, 2)).toBeNull();
  });
});

describe('higherOf()', () => {
  const between = (low: number, high: number | null) => ({
    value: low,
    interval: [low, high] as [number, number | null],
  });

  test.each([
    ['first', between(3, 4), between(1, 2)],
    ['second', between(1, 2), between(3, null)],
    ['overlap', between(1, 3), between(2, 4)],
    ['overlap', between(1, 2), between(2, 4)],
    ['overlap', between(9, 10), between(1, null)],
    [null, { value: null, interval: null }, between(1, 2)],
  ] as const)('%s', (higher, first, second) => {
    expect(higherOf(first, second)).toBe(higher);
  });

  test('becomes a sentence that names the operator with the higher value', () => {
    const names = ['ada', 'bob'] as const;
    const text = (first: [number, number], second: [number, number]) =>
      besideText('snr', names, [between(...first), between(...second)]);

    expect(text([3, 4], [1, 2])).toBe('ada has the higher SNR.');
    expect(text([1, 2], [3, 4])).toBe('bob has the higher SNR.');
    expect(text([1, 3], [2, 4])).toContain('overlap');
  });
});

describe('reasons for a missing rank', () => {
  const reason = (code: UnrankedReason['code']) => {
    return { code, required: null, actual: null, detail: '' };
  };
  const codesOf = (reasons: readonly UnrankedReason[]) => reasons.map(({ code }) => code);

  test('are all missing requirements, or only the missing value', () => {
    const lacking = [reason('active_days_low'), reason('total_low')];

    expect(decisiveReasons(lacking)).toEqual(lacking);
    expect(codesOf(decisiveReasons([...lacking, reason('metric_undefined')]))).toEqual([
      'metric_undefined',
    ]);
  });

  test('of one metric are those that other metrics may not have, most important first', () => {
    const lacking = [reason('coverage_low'), reason('total_low'), reason('interval_undefined')];

    expect(reasonOfMetric(lacking)?.code).toBe('interval_undefined');
    expect(reasonOfMetric([reason('total_low'), reason('coverage_low')])?.code).toBe(
      'coverage_low',
    );
    expect(reasonOfMetric([reason('total_low'), reason('private')])).toBeNull();
  });
});

describe('peersWithReasons()', () => {
  const groupsOf = (mentors: object[], same_tier: object[], complementary: object[]) =>
    ({
      mentors: { entries: mentors },
      same_tier: { entries: same_tier },
      complementary: { entries: complementary, weakness: { metric: 'velocity' } },
    }) as unknown as PeerGroups;

  test('names each peer once, in order, with all reasons', () => {
    const [bob, cay, dan] = ['bob', 'cay', 'dan'].map((codename) => ({ codename }));
    const mentor = { ...bob, classes_above: 1 };
    const groups = groupsOf([mentor], [{ ...cay }, { ...dan }], [{ ...dan }, { ...bob }]);

    expect(peersWithReasons(groups).map(({ peer, why }) => [peer.codename, why])).toEqual([
      ['bob', expect.stringMatching(/^1 class above.*; stronger in velocity/)],
      ['cay', expect.stringMatching(/^same class[^;]*$/)],
      ['dan', expect.stringMatching(/^same class.*; stronger in velocity/)],
    ]);
  });

  test('is empty without peers', () => {
    expect(peersWithReasons(groupsOf([], [], []))).toEqual([]);
  });
});

describe('cascadeText()', () => {
  const totals = { input: 1, output: 1, cache_write: 1, cache_read: 1, total: 4 };
  const cascade = { transmission: 2, commitment: 10, reuse: 862.6 };
  const of = (tools: { tool: string; cache_write: number | null }[]) => {
    const used = tools.map(({ tool, cache_write }) => {
      return { tool, totals: { ...totals, cache_write }, metrics: {} };
    });
    const metrics = { leverage: { ...STANDING, value: 50.2 } };
    return { metrics, tools: used } as unknown as OperatorStanding;
  };

  test('names the included tools, and the leverage of all tools if there are others', () => {
    const both = { tool: 'claude-code', cache_write: 1 };
    const alone = cascadeText(cascade, of([both]));

    expect(alone).toMatch(/claude-code.* product .*17,252\.0\.$/);
    expect(cascadeText(cascade, of([both, { tool: 'codex', cache_write: null }]))).toMatch(
      /17,252\.0\. .*codex.*50\.2\.$/,
    );
    expect(cascadeText({ ...cascade, reuse: null }, of([both]))).not.toContain('product');
  });
});
