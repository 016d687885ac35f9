import fc from 'fast-check';
import { atOnce } from '#core/domain/text/steps.ts';
import { describe, expect, test } from 'vitest';
import { sumPillars } from '#core/domain/counting/bucket.ts';
import {
  MAX_PARTS,
  partsInSlice,
  partsOf,
  SourceSums,
  toolsOf,
  trustOf,
  usageByModel,
  usageByTool,
} from '#core/domain/board/breakdown.ts';
import { type DayUsage, type BucketSource, seriesOf } from '#core/domain/metrics/day-series.ts';
import { metricsOf, standingOf, totalsOf } from '#core/domain/metrics/standing.ts';
import { ModelUsage, OtherUsage, ToolUsage } from '#core/schema/operator.ts';

const LAST = 20_000;
const CLAUDE = { tool: 'claude-code', provider: 'p', model: 'm', trust: 'signed' } as const;
const CODEX = { tool: 'codex', provider: 'q', model: 'n', trust: 'signed' } as const;
const BY_HAND = { ...CLAUDE, trust: 'self_reported' } as const;
const NOTHING = { input: 0, output: 0, cache_write: 0, cache_read: 0 };

function aDay(source: BucketSource, over: Partial<DayUsage> = {}): DayUsage {
  const counts = { input: 1, output: 20, cache_write: 300, cache_read: 4000 };
  return { day: LAST, source, ...counts, ...over };
}

const allOf = (usage: DayUsage[]) => partsOf(usage, LAST).all_time;

describe('SourceSums', () => {
  test('has the same parts as all counts together, however they are divided', () => {
    const usage = [CLAUDE, CODEX, BY_HAND].flatMap((source) => [
      aDay(source),
      aDay({ ...source }, { cache_read: null }),
      aDay({ ...source, model: 'other' }, { output: 7 }),
      aDay({ ...source }),
      aDay({ ...source }, NOTHING),
    ]);
    const named = new Map(usage.map(({ source }) => [JSON.stringify(source), source]));
    const shared = usage.map((one) => {
      return { ...one, source: named.get(JSON.stringify(one.source)) as BucketSource };
    });
    for (const size of [1, 4, usage.length]) {
      const sums = new SourceSums();
      for (let at = 0; at < usage.length; at += size) sums.add(usage.slice(at, at + size));

      expect(new Set(atOnce(sums.parts()))).toEqual(new Set(allOf(shared)));
    }
    expect(atOnce(new SourceSums().parts())).toEqual([]);
  });
});

describe('partsOf()', () => {
  test('adds up the buckets of a source in the days of each window', () => {
    const usage = [90, 30, 7, 6, 0, -1].map((ago) => aDay(CLAUDE, { day: LAST - ago }));
    const times = (n: number) => [
      { source: CLAUDE, input: n, output: 20 * n, cache_write: 300 * n, cache_read: 4000 * n },
    ];

    expect(partsOf(usage, LAST)).toEqual({
      '7d': times(2),
      '30d': times(3),
      '90d': times(4),
      all_time: times(5),
    });
  });

  test('is the same object for windows with the same usage, and empty without usage', () => {
    const parts = partsOf(
      [40, 3].map((ago) => aDay(CLAUDE, { day: LAST - ago })),
      LAST,
    );

    expect(parts['7d']).toBe(parts['30d']);
    expect(parts['90d']).toBe(parts.all_time);
    expect(parts['30d']).not.toBe(parts['90d']);
    expect(Object.values(partsOf([], LAST)).flat()).toEqual([]);
  });

  test('separates buckets that report different cache counts', () => {
    const blind = { cache_read: null };

    expect(allOf([aDay(CLAUDE), aDay(CLAUDE, blind), aDay(CLAUDE), aDay(CODEX, blind)])).toEqual([
      { source: CLAUDE, input: 1, output: 20, cache_write: 300, cache_read: null },
      { source: CLAUDE, input: 2, output: 40, cache_write: 600, cache_read: 8000 },
      { source: CODEX, input: 1, output: 20, cache_write: 300, cache_read: null },
    ]);
  });
});

test('the parts of a standing do not depend on the order of a day', () => {
  const sources = [CLAUDE, CODEX, BY_HAND, { ...CODEX, provider: 'p' }];
  const ofDay = fc.array(
    fc.record({ source: fc.constantFrom(...sources), input: fc.nat(), isBlind: fc.boolean() }),
  );

  fc.assert(
    fc.property(fc.array(ofDay, { maxLength: 9 }), fc.integer(), (days, seed) => {
      const usage = days.map((buckets, day) =>
        buckets.map(({ source, input, isBlind }) =>
          aDay(source, { day, input, ...(isBlind && { cache_read: null }) }),
        ),
      );
      const isFirst = (bucket: DayUsage) => (bucket.input ^ seed) % 2 === 0;
      const shuffled = usage.map((day) => [
        ...day.filter(isFirst).reverse(),
        ...day.filter((bucket) => !isFirst(bucket)),
      ]);

      expect(partsOf(shuffled.flat(), LAST)).toEqual(partsOf(usage.flat(), LAST));
      expect(seriesOf(shuffled.flat())).toEqual(seriesOf(usage.flat()));
    }),
  );
});

describe('partsInSlice()', () => {
  const parts = allOf([aDay(CLAUDE), aDay(CODEX), aDay(BY_HAND)]);
  const sourcesIn = (tool: string | null, trust: 'all' | 'signed') =>
    partsInSlice(parts, { tool, trust }).map(({ source }) => source);

  test('selects one tool or all, and signed buckets or all', () => {
    expect(sourcesIn(null, 'all')).toEqual([BY_HAND, CLAUDE, CODEX]);
    expect(sourcesIn(null, 'signed')).toEqual([CLAUDE, CODEX]);
    expect(sourcesIn('claude-code', 'all')).toEqual([BY_HAND, CLAUDE]);
    expect(sourcesIn('codex', 'signed')).toEqual([CODEX]);
    expect(sourcesIn('aider', 'all')).toEqual([]);
  });
});

describe('toolsOf() and trustOf()', () => {
  test('list the tools with tokens, sorted', () => {
    const idle = aDay({ ...CLAUDE, tool: 'zed' }, NOTHING);

    expect(toolsOf(allOf([aDay(CODEX), aDay(CLAUDE), aDay(BY_HAND), idle]))).toEqual([
      'claude-code',
      'codex',
    ]);
  });

  test('distinguish signed, self-reported and mixed tokens', () => {
    expect(trustOf(allOf([aDay(CLAUDE), aDay(CODEX)]))).toBe('signed');
    expect(trustOf(allOf([aDay(BY_HAND)]))).toBe('self_reported');
    expect(trustOf(allOf([aDay(BY_HAND), aDay(CODEX)]))).toBe('mixed');
    expect(trustOf(allOf([aDay(BY_HAND, NOTHING), aDay(CODEX)]))).toBe('signed');
  });
});

describe('usageByTool() and usageByModel()', () => {
  test('list the usage of each, most tokens first, then by name', () => {
    const large = aDay(CODEX, { cache_read: 9000 });
    const parts = allOf([aDay(CLAUDE), large, aDay(BY_HAND), aDay({ ...CLAUDE, tool: 'aider' })]);

    expect(usageByTool(parts).map(({ tool, totals }) => [tool, totals.total])).toEqual([
      ['codex', 9321],
      ['claude-code', 8642],
      ['aider', 4321],
    ]);
    expect(usageByModel(parts).models.map((entry) => [entry.provider, entry.model])).toEqual([
      ['p', 'm'],
      ['q', 'n'],
    ]);
    expect(usageByTool(parts).map((entry) => ToolUsage.parse(entry))).toEqual(usageByTool(parts));
    expect(usageByModel(parts).models.map((entry) => ModelUsage.parse(entry))).toEqual(
      usageByModel(parts).models,
    );
    expect(usageByModel(parts).other_models).toBeNull();
  });

  test('ignore a bucket without tokens, like the standing', () => {
    const usage = [aDay(CLAUDE, NOTHING), aDay(CLAUDE, { cache_read: null })];
    const bases = standingOf(seriesOf(usage), LAST, LAST, { active_day_tokens: 1 })?.bases;

    expect(usageByTool(allOf(usage))[0]?.totals.cache_read).toBeNull();
    expect(bases?.all.cache_read).toBeNull();
  });

  test('leave out tools and models without tokens', () => {
    expect(usageByTool(allOf([aDay(CLAUDE, NOTHING)]))).toEqual([]);
  });

  test('equal the standing if there is only one tool', () => {
    const pillar = fc.option(fc.nat(1e6));
    const day = fc.record({
      input: fc.nat(1e6),
      output: fc.nat(1e6),
      cache_write: pillar,
      cache_read: pillar,
    });

    fc.assert(
      fc.property(fc.array(day, { minLength: 1, maxLength: 9 }), (days) => {
        const usage = days.map((counts) => aDay(CLAUDE, counts));
        const standing = standingOf(seriesOf(usage), LAST, LAST, { active_day_tokens: 1 });
        fc.pre(standing !== null);

        expect(usageByTool(allOf(usage))).toEqual([
          {
            tool: 'claude-code',
            totals: standing && totalsOf(standing.bases.all),
            metrics: standing?.metrics,
          },
        ]);
      }),
    );
  });
});

describe('an operator with thousands of providers', () => {
  /** Most tokens first: provider 0 of each tool has the most. */
  const wide = (providers: number, tools: readonly string[], over: Partial<DayUsage> = {}) =>
    Array.from({ length: providers }, (_, at) =>
      tools.map((tool) => {
        const source = { tool, provider: `p${at}`, model: 'm', trust: 'signed' } as const;
        return aDay(source, { cache_read: 1_000_000 - at, ...over });
      }),
    ).flat();
  const TWO = ['aider', 'codex'];

  test('has a limited number of parts, which add up to the same', () => {
    const usage = [...wide(3000, TWO), ...wide(3000, TWO, { cache_read: null })];
    const parts = allOf(usage);

    expect(parts.length).toBeLessThanOrEqual(MAX_PARTS + 4);
    expect(sumPillars(parts)).toEqual(sumPillars(usage));
    for (const tool of TWO) {
      const slice = { tool, trust: 'signed' } as const;
      const ofTool = usage.filter(({ source }) => source.tool === tool);
      expect(metricsOf(partsInSlice(parts, slice))).toEqual(metricsOf(ofTool));
    }
    expect(partsInSlice(parts, { tool: 'zed', trust: 'all' })).toEqual([]);
  });

  test('shows the models with the most tokens exactly, and adds up the others', () => {
    const usage = wide(3000, TWO);
    const { models, other_models: others } = usageByModel(allOf(usage));

    expect(models.map(({ provider }) => provider)).toEqual(
      Array.from({ length: 50 }, (_, at) => `p${at}`),
    );
    expect(models[1]?.totals).toEqual({
      ...{ input: 2, output: 40, cache_write: 600, cache_read: 2 * 999_999 },
      total: 2 * 999_999 + 642,
    });
    expect(OtherUsage.parse(others)).toEqual(others);
    expect(others?.pairs).toBeNull();
    const shown = [...models.map(({ totals }) => totals), others?.totals ?? NOTHING];
    expect(sumPillars(shown)).toEqual(sumPillars(usage));
  });

  test('counts the others if none are merged', () => {
    const { models, other_models: others } = usageByModel(allOf(wide(51, TWO)));

    expect([models.length, others?.pairs, others?.totals.input]).toEqual([50, 1, 2]);
    expect(usageByModel(allOf(wide(50, TWO))).other_models).toBeNull();
  });
});
