import { describe, expect, test } from 'vitest';
import { badgeMarkdown } from '#core/domain/board/badge.ts';
import { shieldOf } from '#components/operator/shield.ts';
import { badgeWords } from '#components/operator/badge-words.ts';

type Place = Parameters<typeof badgeWords>[0];

const PLACE: Place = {
  codename: 'ada',
  metric: 'yield',
  window: '30d',
  tool: null,
  tier: 'rapids',
  standing: { rank: 12, total: 1214, conservative: 1234.5678, interval: [1234.5678, 2000] },
};

/** The badge's visible text, and its text for screen readers. */
function words(over: Partial<Place>, show: 'class' | 'rank' | 'value' = 'rank') {
  const { says, title } = badgeWords({ ...PLACE, ...over }, 'Bench', show);
  return [says.map(({ text }) => text).join(''), title];
}

describe('badgeWords()', () => {
  test('has the rank and the total, or the conservative value with its justified digits', () => {
    expect(words({})).toEqual([
      'yield 12 of 1,214, all tools',
      'Bench: ada is ranked 12 of 1,214 by yield, last 30 days, all tools',
    ]);
    expect(words({}, 'value')).toEqual([
      'yield 1,230, all tools',
      'Bench: ada has a conservative yield of 1,230, last 30 days, all tools',
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

  test('has the class, which does not depend on the window', () => {
    expect(words({ window: '7d', tool: 'codex' }, 'class')).toEqual([
      'class Rapids, codex',
      'Bench: ada is in class Rapids, codex',
    ]);
    expect(words({ tier: 'unclassed', standing: 'unranked' }, 'class')).toEqual([
      'class none yet, all tools',
      'Bench: ada has no class yet, all tools',
    ]);
    expect(words({ standing: 'unlisted' }, 'class')).toEqual(['not listed', 'Bench: not listed']);
  });

  test('does not name operators without a page', () => {
    expect(words({ standing: 'unlisted' })).toEqual(['not listed', 'Bench: not listed']);
    expect(words({ standing: 'unpublished' })).toEqual(['not available', 'Bench: not available']);
  });
});

describe('shieldOf()', () => {
  const shield = (over: Partial<Place>, show: 'class' | 'rank' = 'rank') => {
    return shieldOf({ ...PLACE, ...over }, show, { board: 'Bench', accent: '#c52d1f' });
  };

  test('has the words of the badge, in the board’s color if there is a rank', () => {
    const ranked = {
      schemaVersion: 1,
      label: 'Bench',
      message: 'yield 12 of 1,214, all tools',
      color: 'c52d1f',
      cacheSeconds: 300,
    };
    expect(shield({})).toEqual(ranked);
    expect(shield({}, 'class')).toEqual({ ...ranked, message: 'class Rapids, all tools' });
    const unranked = { ...ranked, message: 'yield not ranked, all tools', color: 'lightgrey' };
    expect(shield({ standing: 'unranked' })).toEqual(unranked);
  });

  test('says only that an operator is not listed', () => {
    expect(shield({ standing: 'unlisted' })).toEqual({
      schemaVersion: 1,
      label: 'Bench',
      message: 'not listed',
      color: 'lightgrey',
      isError: true,
      cacheSeconds: 300,
    });
  });
});

test('badgeMarkdown() shows the picture and links to the page', () => {
  expect(badgeMarkdown('https://bench.example.org', 'ada')).toBe(
    '[![ada on bench.example.org](https://bench.example.org/badge/ada.svg)](https://bench.example.org/operators/ada)',
  );
});
