import { describe, expect, test } from 'vitest';
import {
  cascadeText,
  classRange,
  decisiveReasons,
  operatorDescription,
  peersWithReasons,
  percentileText,
  reasonOfMetric,
} from '#components/operator/operator-words.ts';
import { operatorViewOf } from '#core/domain/board/operator-view.ts';
import type { UnrankedReason } from '#core/schema/board.ts';
import type { PeerGroups } from '#core/schema/peer.ts';
import type { MetricStanding, OperatorStanding } from '#core/schema/operator.ts';

const STANDING: MetricStanding = {
  value: 1234.5,
  conservative: 1000,
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

test('classRange() describes the yields of a class', () => {
  expect(classRange('rill')).toBe('below 0.1');
  expect(classRange('falls')).toBe('of at least 1,000 and below 10,000');
  expect(classRange('ocean')).toBe('of at least 10,000,000');
});

describe('percentileText()', () => {
  test('is rounded down', () => {
    expect(percentileText(STANDING)).toBe('ahead of 83% of 214 ranked operators');
    const almost = { ...STANDING, percentile: 0.9999 };
    expect(percentileText(almost)).toBe('ahead of 99% of 214 ranked operators');
    expect(percentileText({ ...STANDING, percentile: 0.29 })).toContain(' 29% ');
  });

  test('is null without a percentile, or if nobody ranks below', () => {
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

  test("is a sentence with the page's first number", () => {
    expect(describeAs({})).toBe('ada: yield 1,234.50, last 30 days; rank 3 of 214.');
    expect(describeAs({ rank: null })).toBe('ada: yield 1,234.50, last 30 days; not ranked.');
    expect(describeAs({ value: null, rank: null })).toBe(
      'ada: no yield, last 30 days; not ranked.',
    );
    expect(operatorDescription({ codename: 'ada', view, standing: null })).toBe(
      'ada: no counted tokens, last 30 days.',
    );
  });
});

describe('decisiveReasons()', () => {
  const reason = (code: UnrankedReason['code']) => {
    return { code, required: null, actual: null, detail: '' };
  };
  const codesOf = (reasons: readonly UnrankedReason[]) => reasons.map(({ code }) => code);

  test('returns all reasons, or only the undefined metric', () => {
    const lacking = [reason('active_days_low'), reason('total_low')];

    expect(decisiveReasons(lacking)).toEqual(lacking);
    expect(codesOf(decisiveReasons([...lacking, reason('metric_undefined')]))).toEqual([
      'metric_undefined',
    ]);
  });

  test('returns the reason that is specific to one metric, the most serious first', () => {
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

  test('names each peer once, in order, with all its reasons', () => {
    const [bob, cay, dan] = ['bob', 'cay', 'dan'].map((codename) => ({ codename }));
    const mentor = { ...bob, classes_above: 1 };
    const groups = groupsOf([mentor], [{ ...cay }, { ...dan }], [{ ...dan }, { ...bob }]);

    expect(peersWithReasons(groups).map(({ peer, why }) => [peer.codename, why])).toEqual([
      ['bob', '1 class above, similar use; stronger in velocity, this operator’s weaker metric'],
      ['cay', 'same class, similar mix of token types'],
      [
        'dan',
        'same class, similar mix of token types; stronger in velocity, this operator’s weaker metric',
      ],
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

  test('names its tools, and the leverage of all tools if there are others', () => {
    const both = { tool: 'claude-code', cache_write: 1 };
    const whole = cascadeText(cascade, of([both]));

    expect(whole).toContain('claude-code');
    expect(whole).toContain('17,252.0');
    const mixed = cascadeText(cascade, of([both, { tool: 'codex', cache_write: null }]));
    expect(mixed.startsWith(whole)).toBe(true);
    expect(mixed.slice(whole.length)).toMatch(/codex.* 50\.2\./);
    expect(cascadeText({ ...cascade, reuse: null }, of([both]))).not.toContain('17,252.0');
  });
});
