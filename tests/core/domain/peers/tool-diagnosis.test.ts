import { describe, expect, test } from 'vitest';
import type { DayUsage } from '#core/domain/metrics/day-series.ts';
import { TO, aDay, diagnose, thirty } from '#tests/support/http/diagnosis.ts';

describe('the diagnosis of a tool without findings', () => {
  /** Thirty days that double in volume each, with leverage from 20 to 350. */
  const ofAllVolumes = Array.from({ length: 30 }, (_, ago) => {
    const volume = 2 ** (ago % 15);
    const leverage = ago % 2 === 0 ? 20 : 350;
    return aDay(ago, {
      input: 100 * volume,
      output: 400 * volume,
      cache_write: 0,
      cache_read: 100 * volume * leverage,
    });
  });
  const reasonsOf = (usage: readonly DayUsage[]) =>
    diagnose(usage).tools.map(({ tool, reason }) => [tool, reason?.code ?? null]);

  test('compares only days of similar volume, and states their number', () => {
    const { entries, tools } = diagnose(ofAllVolumes);

    expect(entries).toEqual([]);
    expect(tools).toMatchObject([
      {
        tool: 'cli',
        days_compared: 0,
        leverage_range: [20, 350],
        reason: { code: 'days_differ', required: 8 },
      },
    ]);
    expect(tools[0]?.reason?.actual).toBe(tools[0]?.most_similar);
    expect(tools[0]?.most_similar).toBeLessThan(8);
    expect(tools[0]?.reason?.detail).toMatch(
      /^The \d+ days differ too much in volume to be compared \([\d,]+ to [\d,]+ tokens a day, leverage 20 to 350\): at most \d are within a factor of three/,
    );
  });

  test('counts the days that were left out, whatever the other days show', () => {
    const usage = [...thirty({ input: 1100 }).slice(0, 12), ...ofAllVolumes].map((day, at) => {
      return { ...day, day: TO - at };
    });
    const [tool] = diagnose(usage).tools;

    expect(tool?.days_compared).toBeGreaterThanOrEqual(8);
    expect(tool?.days_compared).toBeLessThan(tool?.days ?? 0);
    expect(tool?.reason?.detail).toContain('were left out (leverage over all days is 20 to');
  });

  test('keeps two tools with even days separate', () => {
    const cheap = { input: 90_000, output: 3000, cache_write: 0, cache_read: 1_350_000 };
    const usage = [
      ...thirty({}),
      ...Array.from({ length: 20 }, (_, ago) => aDay(ago, cheap, 'gpt', 'codex')),
    ];
    const { present, empty_because, tools } = diagnose(usage);

    expect(tools.map(({ tool, days }) => [tool, days])).toEqual([
      ['codex', 20],
      ['cli', 30],
    ]);
    expect(tools.map(({ present: of }) => of.yield)).toEqual([0.5, 1600]);
    expect(present.yield).not.toBe(1600);
    expect(tools.map(({ reason }) => reason?.code)).toEqual(['gain_small', 'gain_small']);
    expect(empty_because?.detail).toBe(
      'Nothing found among similar days would raise the yield of a tool by 0.1% or more.',
    );
  });

  test('counts a gain within its tool, however small its effect on the total', () => {
    const heavy = { input: 9_000_000, output: 3000, cache_write: 0, cache_read: 9_000_000 };
    const usage = [
      ...thirty({ input: 5000 }),
      ...Array.from({ length: 30 }, (_, ago) => aDay(ago, heavy, 'gpt', 'codex')),
    ];
    const { entries, tools } = diagnose(usage);
    const [found] = entries;

    expect(found).toMatchObject({ leak: 'fresh_input', tool: 'cli', target: { value: 400 } });
    expect(found?.gain).toBeLessThan(0.001);
    expect(found?.in_tool.gain).toBeGreaterThan(0.5);
    expect(found?.in_tool.present).toEqual(tools[1]?.present);
    expect(reasonsOf(usage)).toEqual([
      ['codex', 'gain_small'],
      ['cli', null],
    ]);
  });

  test.each([
    ['days_few', thirty({ input: 5000 }).slice(0, 7)],
    ['within_noise', thirty({ input: 5000 }).slice(0, 12)],
    ['gain_small', thirty({})],
    ['yield_zero', thirty({}).map((day) => ({ ...day, cache_read: 0 }))],
    ['yield_undefined', thirty({}).map((day) => ({ ...day, cache_read: null }))],
  ])('%s', (code, usage) => {
    expect(reasonsOf(usage)).toEqual([['cli', code]]);
  });

  test('lists at most 50 tools, those with the most tokens first', () => {
    const usage = Array.from({ length: 60 }, (_, at) =>
      aDay(at, { input: 1000 + at }, 'm', `t${at}`),
    );
    const { tools } = diagnose(usage);

    expect(tools).toHaveLength(50);
    expect(tools[0]?.tool).toBe('t59');
  });
});
