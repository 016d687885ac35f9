import { describe, expect, test } from 'vitest';
import { checkText } from '#core/domain/checks/check-text.ts';
import { afterRelease, type CheckFinding, type ToolDay } from '#core/domain/checks/finding.ts';
import { type Field, fieldOf, usualDays } from '#core/domain/checks/day-outlier.ts';
import { findingsOf } from '#core/domain/checks/plausibility.ts';
import { utcDay } from '#core/domain/counting/day.ts';
import { DAY_MS } from '#tests/support/board/builders.ts';

const NO_FIELD = fieldOf([]);

/** The nth day of an account, with all four token types. */
function aDay(index: number, over: Partial<ToolDay> = {}): ToolDay {
  return {
    day: utcDay(Date.parse('2026-01-01') + index * DAY_MS),
    tool: 'claude-code',
    input: 1_000,
    output: 10_000,
    cache_write: 100_000,
    cache_read: 1_000_000,
    isNew: true,
    silent: { input: 0, output: 0 },
    ...over,
  };
}

/** Days that differ by up to a factor of three in all token types. */
function someDays(count: number, scale = 1): ToolDay[] {
  return Array.from({ length: count }, (_, index) => {
    const factor = scale * (1 + (index % 5) / 2);
    const input = Math.round(1_000 * factor) + 3 * index;
    const output = Math.round(10_000 * factor) + 7 * index;
    const cache_read = Math.round(1_000_000 * factor * (1 + (index % 3) / 5)) + 1;
    return aDay(index, { input, output, cache_write: 50_000, cache_read });
  });
}

function aField(operators = 30): Field {
  const usual = Array.from({ length: operators }, (_, index) =>
    usualDays(someDays(20, 1 + index / 10)),
  );
  return fieldOf(usual.flat());
}

const brief = (findings: readonly CheckFinding[]) =>
  findings.map(({ check, verdict, days }) => [check, verdict, Object.keys(days).length]);

describe('output_rate', () => {
  test.each([
    [50_000_000, []],
    [50_000_001, [['output_rate', 'note', 1]]],
    [200_000_000, [['output_rate', 'note', 1]]],
    [200_000_001, [['output_rate', 'hold', 1]]],
  ])('of %i tokens is %j', (output, expected) => {
    expect(brief(findingsOf([aDay(0, { input: 1e6, output })], NO_FIELD))).toEqual(expected);
  });

  test('adds up the output of all tools on a day, but not of other days', () => {
    const half = { input: 1e6, output: 110_000_000 };

    expect(
      brief(findingsOf([aDay(0, half), aDay(0, { ...half, tool: 'codex' })], NO_FIELD)),
    ).toEqual([['output_rate', 'hold', 1]]);
    expect(brief(findingsOf([aDay(0, half), aDay(1, half)], NO_FIELD))).toEqual([
      ['output_rate', 'note', 2],
    ]);
  });
});

test('days that were checked before are not checked again', () => {
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
  const many = { output: 1_000_000, cache_write: null, cache_read: 998_000_000 };

  test.each([
    [2_000, []],
    [1_990, [['input_share', 'note', 1]]],
    [500, [['input_share', 'note', 1]]],
    [490, [['input_share', 'hold', 1]]],
    [0, [['input_share', 'note', 1]]],
  ])('of %i in a thousand million tokens is %j', (input, expected) => {
    expect(brief(findingsOf([aDay(0, { ...many, input })], NO_FIELD))).toEqual(expected);
  });

  test.each([
    [{ output: 1, cache_read: 2_000_001 }, ['input_share']],
    [{ output: 256_001, cache_read: 1 }, ['input_share']],
    [{ output: 256_000, cache_read: 2_000_000 }, []],
  ])('holds one fresh token on a small day with %j', (over, expected) => {
    const found = findingsOf([aDay(0, { input: 1, ...over })], NO_FIELD);

    expect(found.map(({ check, verdict }) => verdict === 'hold' && check)).toEqual(expected);
  });

  test('looks only at the buckets that yield is computed over', () => {
    const mixed = { ...many, input: 40_000, silent: { input: 39_900, output: 900_000 } };

    expect(brief(findingsOf([aDay(0, mixed)], NO_FIELD))).toContainEqual([
      'input_share',
      'hold',
      1,
    ]);
  });

  test('still holds anything worse after a release', () => {
    const [released] = findingsOf([aDay(0, { ...many, input: 400 })], NO_FIELD) as [CheckFinding];
    const again = (input: number) => {
      const [found] = findingsOf([aDay(0, { ...many, input })], NO_FIELD) as [CheckFinding];
      return afterRelease(found, released.days).verdict;
    };

    expect([again(400), again(380), again(300)]).toEqual(['note', 'note', 'hold']);
  });

  test('ignores small days, and days without cache reads', () => {
    const few = aDay(0, { input: 0, cache_read: 5_000_000 });
    const blind = aDay(1, { input: 0, output: 40_000_000, cache_write: null, cache_read: null });

    expect(findingsOf([few, blind], NO_FIELD)).toEqual([]);
  });
});

describe('hidden_input', () => {
  const half = { input: 100_000, output: 40_000, cache_read: 900_000 };

  test.each([
    ['most of the input and hardly any output', { input: 50_001, output: 3_999 }, ['hidden_input']],
    ['half the input', { input: 50_000, output: 0 }, []],
    ['a tenth of the output', { input: 90_000, output: 4_000 }, []],
  ])('checks a day with %s in buckets without a cache', (_, silent, expected) => {
    const found = findingsOf([aDay(0, { ...half, silent })], NO_FIELD);

    expect(found.map(({ check, verdict }) => verdict === 'hold' && check)).toEqual(expected);
  });

  test('ignores small days, and days without any cache', () => {
    const silent = { input: 90_000, output: 0 };
    const small = aDay(0, { ...half, silent, cache_read: 750_000, cache_write: 109_999 });
    const blind = aDay(1, { ...half, input: 1e6, silent, cache_read: null });

    expect(findingsOf([small, blind], NO_FIELD)).toEqual([]);
    const enough = { ...small, cache_write: 110_000 };
    expect(brief(findingsOf([enough], NO_FIELD))).toEqual([['hidden_input', 'hold', 1]]);
  });
});

describe('reads_without_writes', () => {
  test('notes a million tokens of reads if writes are reported as 0', () => {
    const days = [
      aDay(0, { cache_write: 0 }),
      aDay(1, { cache_write: 0, cache_read: 999_999 }),
      aDay(2, { cache_write: null, output: 10_007 }),
      aDay(3, { output: 10_013 }),
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

describe('reads_per_write', () => {
  const most = { input: 1_000, output: 90_007, cache_write: 20_001, cache_read: 20_001_000 };

  test.each([
    ['what its requests can read', {}, []],
    ['one token more', { cache_read: 20_001_001 }, [['reads_per_write', 'note', 1]]],
    [
      'one token more, with less output than input',
      { output: 999 },
      [['reads_per_write', 'note', 1]],
    ],
    ['fewer than 10 million reads', { cache_write: 1, cache_read: 9_999_999 }, []],
    ['no writes', { cache_write: null }, []],
  ])('of a day with %s is %j', (_, over, expected) => {
    expect(brief(findingsOf([aDay(0, { ...most, ...over })], NO_FIELD))).toEqual(expected);
  });

  test('leaves out what yield leaves out', () => {
    const day = aDay(0, { ...most, input: 1_500, silent: { input: 501, output: 0 } });

    expect(brief(findingsOf([day], NO_FIELD))).toEqual([['reads_per_write', 'note', 1]]);
  });
});

describe('day_outlier', () => {
  const giant = aDay(40, { input: 1_000_003, output: 10_000_007, cache_read: 50_000_000_001 });

  test("holds a day that is far above the account's own days and those of others", () => {
    expect(brief(findingsOf([...someDays(20), giant], aField()))).toContainEqual([
      'day_outlier',
      'hold',
      1,
    ]);
  });

  test('holds a yield that is far above, even if the total is not', () => {
    const shaved = aDay(40, { input: 10 });
    const [finding] = findingsOf([...someDays(20), shaved], aField());

    expect(finding).toMatchObject({ check: 'day_outlier', verdict: 'hold', tool: 'claude-code' });
  });

  test('ignores a heavy account among light ones, and a busy day that others have too', () => {
    const heavy = someDays(20, 30_000).map((day) => ({ ...day, output: 10_000 }));
    const busy = aDay(40, {
      input: 10_003,
      output: 100_007,
      cache_write: 500_000,
      cache_read: 9_999_999,
    });

    expect(findingsOf(heavy, aField()).filter(({ check }) => check === 'day_outlier')).toEqual([]);
    expect(findingsOf([...someDays(20), busy], aField())).toEqual([]);
  });

  test('ignores an account that starts to work like others', () => {
    const tiny = someDays(20).map((day) => ({
      ...day,
      output: 10,
      cache_write: 10,
      cache_read: 10,
    }));

    expect(findingsOf([...tiny, aDay(40)], aField())).toEqual([]);
  });

  test('has no range with 13 days or with 19 operators', () => {
    expect(findingsOf([...someDays(12), giant], aField())).toEqual([]);
    expect(findingsOf([...someDays(20), giant], aField(19))).toEqual([]);
  });

  test('compares a tool that few operators use with all tools', () => {
    const own = someDays(20).map((day) => ({ ...day, tool: 'my-tool' }));
    const shaved = aDay(40, { input: 10, tool: 'my-tool' });

    expect(brief(findingsOf([...own, shaved], aField()))).toEqual([['day_outlier', 'hold', 1]]);
  });

  test('leaves out what yield leaves out', () => {
    const shaved = aDay(40, { input: 1_000, silent: { input: 990, output: 9_000 } });

    expect(brief(findingsOf([...someDays(20), shaved], aField()))).toContainEqual([
      'day_outlier',
      'hold',
      1,
    ]);
  });

  test('accepts a new level once the account has had it for two weeks', () => {
    const light = someDays(60).map((day) => ({ ...day, isNew: false }));
    const held: Record<string, number> = {};
    const verdicts = Array.from({ length: 16 }, (_, index) => {
      const output = giant.output + 1_001 * index;
      const today = { ...giant, output, day: aDay(60 + index).day };
      const levels = (tool: string) => (tool === '' ? held : {});
      const findings = findingsOf([...light, today], aField(), levels);
      const found = findings.find(({ tool, verdict }) => tool === '' && verdict === 'hold');
      if (found) Object.assign(held, found.days);
      else light.push({ ...today, isNew: false });
      return found !== undefined;
    });

    expect(verdicts.indexOf(false)).toBe(13);
    expect(verdicts.slice(13)).not.toContain(true);
  });

  test('ignores a day that is far below', () => {
    const tiny = aDay(40, { input: 1, output: 1, cache_write: 1, cache_read: 1 });

    expect(findingsOf([...someDays(20), tiny], aField())).toEqual([]);
  });
});

describe('afterRelease()', () => {
  const finding: CheckFinding = {
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
  test('states small shares and the range of days', () => {
    const text = checkText({
      check: 'input_share',
      verdict: 'hold',
      statistic: 4.2e-4,
      threshold: 1,
      n: 9,
      tool: 'codex',
      days: ['2026-01-01', '2026-01-05'],
    });

    expect(text).toMatch(/2 days from 2026-01-01 to 2026-01-05.*codex.* 4\.2e-4 tokens.* 1\.$/);
  });
});
