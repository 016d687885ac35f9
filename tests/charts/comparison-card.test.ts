import { describe, expect, test } from 'vitest';
import { type ComparedOperator, comparisonViewOf } from '#core/domain/board/comparison.ts';
import { DEFAULT_COLOURS } from '#core/domain/board/colours.ts';
import { comparisonCardOf } from '#components/comparison/comparison-card-words.ts';
import { comparisonCard } from '../../src/charts/comparison-card.ts';
import { drawn } from '../support/pages/drawn.ts';

const SITE = { name: 'Opbench', baseUrl: 'https://bench.example.org' };

function anOperator(codename: string, low: number | null, rank: number | null = 1) {
  const interval = low === null ? null : [low, low * 2];
  const own = { value: low, conservative: low, interval, rank, total: 214, active_days: 20 };
  const standing = { metrics: { yield: own } };
  return {
    ...{ codename, display_name: null, class_tier: rank === null ? 'unclassed' : 'river' },
    standing,
  } as ComparedOperator;
}

const cardOf = (operators: ComparedOperator[], query = '') => {
  const names = operators.map(({ codename }) => codename).sort();
  const view = { ...comparisonViewOf(new URLSearchParams(query)), names };
  return comparisonCardOf({ view, operators, as_of: '2026-03-10' }, SITE);
};

describe('comparisonCardOf()', () => {
  test('has the result, the view and a row for each operator', () => {
    const card = cardOf([anOperator('bob', 5_481), anOperator('ada', 20, null)], 'window=7d');
    expect(card).toMatchObject({
      board: 'Opbench',
      title: 'bob has the higher yield',
      total: 'Conservative yield, last 7 days, all tools',
      address: 'bench.example.org/compare?with=ada,bob&window=7d',
      day: '10 Mar 2026',
    });
    expect(card.rows).toMatchObject([
      { name: 'bob', tier: 'river', facts: 'River, rank 1 of 214, 20 active days', value: '5,500' },
      { name: 'ada', tier: 'unclassed', facts: 'not ranked yet, 20 active days', value: '20' },
    ]);
  });

  test('says who has no tokens', () => {
    const absent = { ...anOperator('cay', null), standing: null };
    const [, row] = cardOf([anOperator('ada', 20), absent]).rows;
    expect(row).toMatchObject({ value: 'No tokens', facts: 'River' });
  });
});

test('comparisonCard() draws two to four rows that do not reach the foot', async () => {
  const names = ['ada', 'w'.repeat(30), 'x-1', 'grace'];
  for (const total of [2, 3, 4]) {
    const operators = names.slice(0, total).map((name, at) => anOperator(name, 10 ** (4 - at)));
    const { svg } = comparisonCard(cardOf(operators), DEFAULT_COLOURS.light);
    const picture = await drawn(svg);
    expect([picture.width, picture.height]).toEqual([1200, 630]);
    expect(picture.colours({ top: 546, bottom: 557 })).toBe(1);
    expect(picture.colours({ top: 190, bottom: 300 })).toBeGreaterThan(5);
  }
});
