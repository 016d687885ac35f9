import { describe, expect, test } from 'vitest';
import { compareDays } from '#agent/report/compare-days.ts';
import { daySentences } from '#agent/report/day-sentences.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { aBucket } from '#tests/support/board/builders.ts';

const dayOf = (at: number) => `2026-03-${String(at).padStart(2, '0')}`;

/** A day of 100,000 tokens, of which `output` are output. */
function aDay(at: number, output: number, over: Partial<Bucket> = {}): Bucket {
  const counts = { input: 1000, output, cache_write: 0, cache_read: 99_000 - output };
  return aBucket({ day: dayOf(at), tool: 'codex', model: 'a', ...counts, ...over });
}

const NINE = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((at) => aDay(at, 1000 * at));

describe('compareDays()', () => {
  test('ranks the days of a tool by yield, and compares them with medians of each figure', () => {
    const [codex, ...others] = compareDays(NINE);

    expect(others).toEqual([]);
    expect(codex).toMatchObject({ tool: 'codex', days: 9 });
    expect(codex?.median).toEqual({
      ...{ yield: 5 * 94, leverage: 94, velocity: 5 },
      ...{ tokens: 100_000, input: 0.01, cache_read: 0.94 },
    });
    expect(codex?.best.map(({ day }) => day)).toEqual([dayOf(9), dayOf(8)]);
    expect(codex?.worst.map(({ day }) => day)).toEqual([dayOf(1), dayOf(2)]);
  });

  test('needs eight comparable days: active ones with a yield', () => {
    const inactive = aDay(9, 100, { input: 100, cache_read: 9_799 });
    const undefinedYield = aDay(9, 1000, { cache_read: null, cache_write: 90_000 });
    const noInput = aDay(9, 1000, { input: 0 });

    for (const ninth of [inactive, undefinedYield, noInput])
      expect(compareDays([...NINE.slice(0, 8), ninth])[0]?.days).toBe(8);
    expect(compareDays(NINE.slice(0, 7))).toEqual([]);
    expect(compareDays([])).toEqual([]);
  });

  test('compares each tool on its own, most tokens first, and names the other tools of a day', () => {
    const more = NINE.map((bucket) => ({ ...bucket, tool: 'gemini-cli', cache_read: 999_000 }));
    const [gemini, codex] = compareDays([...NINE, ...more]);

    expect([gemini?.tool, codex?.tool]).toEqual(['gemini-cli', 'codex']);
    expect(codex?.best[0]?.others).toEqual([
      { tool: 'gemini-cli', share: expect.closeTo(0.91, 2) },
    ]);
  });

  test('names models whose share differs from that on all days', () => {
    const [codex] = compareDays([...NINE.slice(0, 8), aDay(9, 9000, { model: 'b' })]);
    const [best, second] = codex?.best ?? [];

    expect(best?.models).toEqual([
      { name: 'a', share: 0, usual: expect.closeTo(8 / 9) },
      { name: 'b', share: 1, usual: expect.closeTo(1 / 9) },
    ]);
    expect(second?.models).toEqual([
      { name: 'a', share: 1, usual: expect.closeTo(8 / 9) },
      { name: 'b', share: 0, usual: expect.closeTo(1 / 9) },
    ]);
  });
});

test('daySentences() states the differences in plain sentences', () => {
  const [codex] = compareDays([
    ...NINE.slice(0, 8),
    aDay(9, 9000, { model: 'b' }),
    aDay(9, 1, { tool: 'gemini-cli' }),
  ]);
  if (!codex?.best[0] || !codex.worst[0]) throw new Error('no comparison');

  expect(daySentences(codex.best[0], codex.median)).toEqual([
    'Leverage was 90, 95.7% of the median day (94).',
    'Velocity was 9, 1.8 times the median day (5).',
    'Fresh input was 1% of its tokens, and cache reads were 90%. The median day has 1% and 94%.',
    'It had 100k tokens, like the median day (100k).',
    'a was not used. On all days, it had 88.9%.',
    'b had 100% of them. On all days, it had 11.1%.',
    'gemini-cli had 50% of all tokens of this day.',
  ]);
  expect(daySentences(codex.worst[0], { ...codex.median, velocity: 0 })[1]).toBe(
    'Velocity was 1, where the median day has none (0).',
  );
});
