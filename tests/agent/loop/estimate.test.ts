import { describe, expect, test } from 'vitest';
import { estimateOf } from '#agent/loop/estimate.ts';
import { groupedBy } from '#agent/loop/grouped.ts';
import { estimateLines } from '#agent/text/estimate.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { aBucket, bucketsOfDays } from '#tests/support/board/builders.ts';

const TODAY = '2026-03-10';
const USED = { input: 10_000, output: 50_000, cache_write: 100_000, cache_read: 900_000 };

/** Daily counts of the last days, today included. */
function lastDays(days: number, over: Partial<Bucket> = {}): Bucket[] {
  const first = new Date(Date.parse(TODAY) - (days - 1) * 86_400_000).toISOString().slice(0, 10);
  return bucketsOfDays(days, first, { ...USED, ...over });
}

describe('estimateOf()', () => {
  test('is the yield, interval and class that a board with these counts shows', () => {
    const { class_tier, windows, ruleset } = estimateOf(lastDays(20), TODAY);

    expect({ ruleset, class_tier }).toEqual({ ruleset: '2', class_tier: 'rapids' });
    expect(
      windows.map(({ window, standing, missing }) => [window, standing?.metrics.yield, missing]),
    ).toEqual([
      ['30d', 450, []],
      ['90d', 450, []],
    ]);
  });

  test('lists what is missing for a rank in each window', () => {
    const { class_tier, windows } = estimateOf(lastDays(8), TODAY);

    expect(class_tier).toBe('unclassed');
    expect(
      windows.map(({ missing }) =>
        missing.map(({ code, required, actual }) => [code, required, actual]),
      ),
    ).toEqual([[], [['active_days_low', 14, 8]]]);
  });

  test('leaves out days that no board accepts', () => {
    const impossible = ['2022-12-31', '2026-03-11'].map((day) => aBucket({ ...USED, day }));
    const of = (buckets: readonly Bucket[]) => estimateOf(buckets, TODAY, WINDOWS);

    expect(of([...impossible, ...lastDays(20)])).toEqual(of(lastDays(20)));
    expect(of(impossible).windows.map(({ standing }) => standing)).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('estimateLines()', () => {
  const linesOf = (buckets: readonly Bucket[]) => estimateLines(estimateOf(buckets, TODAY));

  test('shows class and yield, and what is missing, in lines of 80 columns', () => {
    expect(linesOf(lastDays(20))).toEqual([
      'On a board, with the counts of this device only',
      '  class    rapids',
      '  30d      yield 450, 95% interval 144 to 1,411, enough for a rank',
      '  90d      yield 450, 95% interval 144 to 1,411, enough for a rank',
    ]);
    const few = linesOf(lastDays(3, { input: 100, output: 10, cache_read: 10, cache_write: 0 }));
    expect(few[1]).toBe('  class    none yet, because a class needs a rank in 90d');
    expect(few.join('\n')).toContain('no rank yet: 7 more active days (0 of 7),');
    for (const line of few) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('adds each tool if there are several, because boards rank tools', () => {
    const lines = linesOf([...lastDays(20), ...lastDays(2, { tool: 'codex' })]);
    const at = (name: string) => lines.indexOf(`  ${name}`);

    expect(lines[at('claude-code') + 1]).toMatch(/^ {4}30d +yield 450, .*enough for a rank$/);
    expect(lines[at('codex') + 2]).toMatch(/^ +no rank yet: 5 more active days \(2 of 7\),$/);
    expect(at('codex')).toBeGreaterThan(at('claude-code'));
    expect(lines.at(-1)).toBe('  tools count input differently, so boards rank each tool, too');
  });

  test('says which windows have no tokens, and nothing if none has', () => {
    const old = bucketsOfDays(3, '2026-01-01', USED);

    expect(linesOf(old)[2]).toBe('  30d      no tokens');
    expect(linesOf(bucketsOfDays(3, '2025-01-01', USED))).toEqual([]);
    expect(linesOf([])).toEqual([]);
  });
});

describe('groupedBy()', () => {
  const buckets = [
    aBucket({ ...USED, day: '2026-02-28', tool: 'codex', model: 'b' }),
    aBucket({ ...USED, day: '2026-03-01', tool: 'codex', model: 'b' }),
    aBucket({ ...USED, day: '2026-03-02', tool: 'claude-code', model: 'a' }),
  ];
  const namesBy = (grouping: Parameters<typeof groupedBy>[1]) => {
    return groupedBy(buckets, grouping).map(({ name }) => Object.values(name).join(' '));
  };

  test('groups by UTC period, oldest first', () => {
    expect(namesBy('day')).toEqual(['2026-02-28', '2026-03-01', '2026-03-02']);
    expect(namesBy('week')).toEqual(['2026-W09', '2026-W10']);
    expect(namesBy('month')).toEqual(['2026-02', '2026-03']);
  });

  test('groups by tool and by model, most tokens first', () => {
    const provider = buckets[0]?.provider;

    expect(namesBy('tool')).toEqual(['codex', 'claude-code']);
    expect(namesBy('model')).toEqual([`codex ${provider} b`, `claude-code ${provider} a`]);
  });

  test('has the yield of the sums, with an interval from two days on', () => {
    const [codex, claude] = groupedBy(buckets, 'tool');

    expect(codex).toMatchObject({ days: 2, yield: 450 });
    expect(codex?.interval?.[0]).toBeLessThan(450);
    expect(codex?.totals).toMatchObject({ input: 20_000, total: 2_120_000 });
    expect(claude).toMatchObject({ days: 1, yield: 450, interval: null });
  });

  test('takes the uncertainty of a period from the days before it, too', () => {
    const many = lastDays(80);
    const [alone, after] = [many.slice(-8), many].map((of) => groupedBy(of, 'week').at(-1));

    expect(alone?.totals).toEqual(after?.totals);
    expect(after?.interval?.[1]).toBeLessThan((alone?.interval?.[1] ?? 0) / 2);
  });
});
