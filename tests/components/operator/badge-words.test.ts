import { describe, expect, test } from 'vitest';
import { badgeMarkdown } from '#core/domain/board/badge.ts';
import { badgeWords } from '#components/operator/badge-words.ts';

type Place = Parameters<typeof badgeWords>[0];

const PLACE: Place = {
  codename: 'ada',
  metric: 'yield',
  window: '30d',
  tool: null,
  standing: { rank: 12, total: 1214, value: 1234.5678 },
};

/** The badge's visible text, and its text for screen readers. */
function words(over: Partial<Place>, show: 'rank' | 'value' = 'rank') {
  const { says, title } = badgeWords({ ...PLACE, ...over }, 'Bench', show);
  return [says.map(({ text }) => text).join(''), title];
}

describe('badgeWords()', () => {
  test('has the rank and the total, or the value', () => {
    expect(words({})).toEqual([
      'yield 12 of 1,214, all tools',
      'Bench: ada is ranked 12 of 1,214 by yield, last 30 days, all tools',
    ]);
    expect(words({}, 'value')).toEqual([
      'yield 1,234.57, all tools',
      'Bench: ada has 1,234.57 by yield, last 30 days, all tools',
    ]);
  });

  test('names the board unless it is the default one', () => {
    expect(words({ window: 'all_time', metric: 'snr', tool: 'codex' })).toEqual([
      'SNR 12 of 1,214, codex, all time',
      'Bench: ada is ranked 12 of 1,214 by SNR, all time, codex',
    ]);
  });

  test('says only that an operator is not ranked, for any badge', () => {
    const unranked = [
      'yield not ranked, all tools',
      'Bench: ada is not ranked by yield, last 30 days, all tools',
    ];
    expect(words({ standing: 'unranked' })).toEqual(unranked);
    expect(words({ standing: 'unranked' }, 'value')).toEqual(unranked);
  });

  test('does not name operators without a page', () => {
    expect(words({ standing: 'unlisted' })).toEqual(['not listed', 'Bench: not listed']);
    expect(words({ standing: 'unpublished' })).toEqual(['not available', 'Bench: not available']);
  });
});

test('badgeMarkdown() shows the picture and links to the page', () => {
  expect(badgeMarkdown('https://bench.example.org', 'ada')).toBe(
    '[![ada on bench.example.org](https://bench.example.org/badge/ada.svg)](https://bench.example.org/operators/ada)',
  );
});
