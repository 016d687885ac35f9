import { describe, expect, test } from 'vitest';
import { checkText } from '#core/domain/check-text.ts';
import { type Field, fieldOf, usualDays } from '#core/domain/day-outlier.ts';
import { type Finding, type ToolDay, afterRelease } from '#core/domain/finding.ts';
import { findingsOf } from '#core/domain/plausibility.ts';
import { utcDay } from '#core/domain/day.ts';
import { DAY_MS } from '#tests/support/builders.ts';

const NO_FIELD = fieldOf([]);

/** The nth day of some account, with all four pillars. */
function aDay(index: number, over: Partial<ToolDay> = {}): ToolDay {
  return {
    day: utcDay(Date.parse('2026-01-01') + index * DAY_MS),
    tool: 'claude-code',
    input: 1_000,
    output: 10_000,
    cache_write: 100_000,
    cache_read: 1_000_000,
    isNew: true,
    ...over,
  };
}

/** Days that differ by up to a factor of three in all pillars. */
function someDays(count: number, scale = 1): ToolDay[] {
  return Array.from({ length: count }, (_, index) => {
    const factor = scale * (1 + (index % 5) / 2);
    const [input, output] = [Math.round(1_000 * factor), Math.round(10_000 * factor)];
    const cache_read = Math.round(1_000_000 * factor * (1 + (index % 3) / 5));
    return aDay(index, { input, output, cache_write: 50_000, cache_read });
  });
}

function aField(operators = 30): Field {
  const usual = Array.from({ length: operators }, (_, index) =>
    usualDays(someDays(20, 1 + index / 10)),
  );
  return fieldOf(usual.flat());
}

const brief = (findings: readonly Finding[]) =>
  findings.map(({ check, verdict, days }) => [check, verdict, Object.keys(days).length]);

describe('output_rate', () => {
  test.each([
    [50_000_000, []],
    [50_000_001, [['output_rate', 'note', 1]]],
    [200_000_000, [['output_rate', 'note', 1]]],
    [200_000_001, [['output_rate', 'hold', 1]]],
  ])('of %i tokens is %j', (output, expected) => {
    expect(brief(findingsOf([aDay(0, { output })], NO_FIELD))).toEqual(expected);
  });

  test('adds up what all tools wrote on a day, and nothing of other days', () => {
    const half = { output: 110_000_000 };

    expect(
      brief(findingsOf([aDay(0, half), aDay(0, { ...half, tool: 'codex' })], NO_FIELD)),
    ).toEqual([['output_rate', 'hold', 1]]);
    expect(brief(findingsOf([aDay(0, half), aDay(1, half)], NO_FIELD))).toEqual([
      ['output_rate', 'note', 2],
    ]);
  });
});

test('nothing is asked of days that were judged before', () => {
  const days = [
    aDay(50, { output: 3e8, isNew: false }),
    aDay(51, { input: 0, cache_read: 1e9, isNew: false }),
    aDay(52, { cache_write: 0, isNew: false }),
    aDay(53, { output: 1e8, cache_read: 5e10, isNew: false }),
  ];

  const known = someDays(20).map((day) => ({ ...day, isNew: false }));

  expect(findingsOf([...days, ...known, aDay(60)], aField())).toEqual([]);
});

describe('input_share', () => {
  const many = { output: 1_000_000, cache_write: 1_000_000, cache_read: 998_000_000 };

  test.each([
    [2_100, []],
    [1_900, [['input_share', 'note', 1]]],
    [510, [['input_share', 'note', 1]]],
    [490, [['input_share', 'hold', 1]]],
    [0, [['input_share', 'hold', 1]]],
  ])('of %i in a thousand million tokens is %j', (input, expected) => {
    expect(brief(findingsOf([aDay(0, { ...many, input })], NO_FIELD))).toEqual(expected);
  });

  test('is not asked of few tokens, nor where no cache is reported', () => {
    const few = aDay(0, { input: 0, cache_read: 5_000_000 });
    const blind = aDay(1, { input: 0, output: 40_000_000, cache_write: null, cache_read: null });

    expect(findingsOf([few, blind], NO_FIELD)).toEqual([]);
  });
});

describe('reads_without_writes', () => {
  test('notes reads of a million tokens where writes are reported as none', () => {
    const days = [
      aDay(0, { cache_write: 0 }),
      aDay(1, { cache_write: 0, cache_read: 999_999 }),
      aDay(2, { cache_write: null }),
      aDay(3),
    ];

    expect(findingsOf(days, NO_FIELD)).toEqual([
      {
        check: 'reads_without_writes',
        verdict: 'note',
        statistic: 1_000_000,
        threshold: 1_000_000,
        n: 4,
        tool: 'claude-code',
        days: { '2026-01-01': 1_000_000 },
      },
    ]);
  });
});

describe('day_outlier', () => {
  const giant = aDay(40, { input: 1e6, output: 1e7, cache_write: 5e7, cache_read: 5e10 });

  test('holds a day that is far above the own days and those of others', () => {
    expect(brief(findingsOf([...someDays(20), giant], aField()))).toContainEqual([
      'day_outlier',
      'hold',
      1,
    ]);
  });

  test('holds a yield that is far above, though the total is not', () => {
    const shaved = aDay(40, { input: 10 });
    const [finding] = findingsOf([...someDays(20), shaved], aField());

    expect(finding).toMatchObject({ check: 'day_outlier', verdict: 'hold', tool: 'claude-code' });
  });

  test('says nothing of a heavy account among light ones, nor of a busy day that others have too', () => {
    const heavy = someDays(20, 30_000).map((day) => ({ ...day, output: 10_000 }));
    const busy = aDay(40, {
      input: 10_000,
      output: 100_000,
      cache_write: 500_000,
      cache_read: 1e7,
    });

    expect(findingsOf(heavy, aField()).filter(({ check }) => check === 'day_outlier')).toEqual([]);
    expect(findingsOf([...someDays(20), busy], aField())).toEqual([]);
  });

  test('says nothing of who begins to work as others do', () => {
    const tiny = someDays(20).map((day) => ({
      ...day,
      output: 10,
      cache_write: 10,
      cache_read: 10,
    }));

    expect(findingsOf([...tiny, aDay(40)], aField())).toEqual([]);
  });

  test('tells no range from 13 days, nor from 19 operators', () => {
    expect(findingsOf([...someDays(12), giant], aField())).toEqual([]);
    expect(findingsOf([...someDays(20), giant], aField(19))).toEqual([]);
  });

  test('says nothing of a day that is far below', () => {
    const tiny = aDay(40, { input: 1, output: 1, cache_write: 1, cache_read: 1 });

    expect(findingsOf([...someDays(20), tiny], aField())).toEqual([]);
  });
});

describe('afterRelease()', () => {
  const finding: Finding = {
    check: 'output_rate',
    verdict: 'hold',
    statistic: 3e8,
    threshold: 2e8,
    n: 2,
    tool: '',
    days: { '2026-01-01': 300, '2026-01-02': 300 },
  };

  test.each([
    [{}, 'hold', ['2026-01-01', '2026-01-02']],
    [{ '2026-01-01': 273 }, 'hold', ['2026-01-02']],
    [{ '2026-01-01': 272 }, 'hold', ['2026-01-01', '2026-01-02']],
    [{ '2026-01-01': 300, '2026-01-02': 290 }, 'note', ['2026-01-01', '2026-01-02']],
  ])('of %j still %ss %j', (released, verdict, days) => {
    const left = afterRelease(finding, released as Record<string, number>);

    expect([left.verdict, Object.keys(left.days)]).toEqual([verdict, days]);
  });
});

describe('checkText()', () => {
  test('tells small shares and several days in full', () => {
    const text = checkText({
      check: 'input_share',
      verdict: 'hold',
      statistic: 4.2e-7,
      threshold: 5e-7,
      n: 9,
      tool: 'codex',
      days: ['2026-01-01', '2026-01-05'],
    });

    expect(text).toBe(
      'On 2 days from 2026-01-01 to 2026-01-05 fresh input is 4.2e-7 of all tokens with codex, less than 5e-7: under one token for each request.',
    );
  });
});
