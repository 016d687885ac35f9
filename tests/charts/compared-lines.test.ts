import { expect, test } from 'vitest';
import { comparedLines } from '../../src/charts/compared-lines.ts';
import { ofClass, pointsOf, textsOf } from '../support/pages/shapes.ts';

const days = (first: number, ...values: (number | null)[]) =>
  values.map((value, day) => ({ date: `2026-03-${String(first + day).padStart(2, '0')}`, value }));

test('comparedLines() draws each operator on the same axes', () => {
  const { svg } = comparedLines('yield', [
    { name: 'ada', points: days(1, 1, 10, 100) },
    { name: 'bob & co', points: days(2, 10, 100) },
    { name: 'nobody', points: [] },
  ]);

  const [ada = [], bob = []] = ofClass(svg, 'line').map(({ d }) => pointsOf(d ?? ''));
  expect(ada.slice(1)).toEqual(bob);
  expect(svg.match(/<g class="line-\d">/g)).toEqual([
    '<g class="line-1">',
    '<g class="line-2">',
    '<g class="line-3">',
  ]);
  expect(svg).toContain('The last value of bob &amp; co is 100. nobody has no values.');
});

test('comparedLines() has dots only for single values, and says if there is nothing to draw', () => {
  const { svg } = comparedLines('yield', [{ name: 'ada', points: days(1, 1, 10, null, 5) }]);
  expect(pointsOf(ofClass(svg, 'points')[0]?.['d'] ?? '')).toHaveLength(1);

  const empty = comparedLines('yield', [{ name: 'ada', points: days(1, null) }]);
  expect(textsOf(empty.svg)).toContain('No values in this period');
});
