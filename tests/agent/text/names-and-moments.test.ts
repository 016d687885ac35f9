import { expect, test } from 'vitest';
import { headingText } from '#agent/text/table.ts';
import { momentText } from '#agent/text/figures.ts';
import { nearestName } from '#core/domain/text/nearest-name.ts';

test.each([
  ['2026-11-22T01:11:59.999Z', '2026-11-22 01:11 UTC'],
  ['2026-11-22T01:11Z', '2026-11-22 01:11 UTC'],
  ['2026-11-22T01:11:59+02:00', '2026-11-22T01:11:59+02:00'],
  ['ne\u001bver', 'never'],
])('momentText(%j) is %j', (text, told) => {
  expect(momentText(text)).toBe(told);
});

test.each([
  ['sumbit', 'submit'],
  ['statsu', 'status'],
  ['peer', 'peers'],
  ['nonsense', null],
  ['x', null],
  ['', null],
])('nearestName(%j) is %j', (typed, name) => {
  expect(nearestName(typed, ['submit', 'status', 'peers', 'scan'])).toBe(name);
});

test('headingText() breaks after a long name', () => {
  const rest = 'last submission: 2026-11-22 01:11 UTC';

  expect(headingText('ada', rest)).toBe(`ada, ${rest}`);
  expect(headingText('a'.repeat(60), rest, (name) => `*${name}*`)).toBe(
    `*${'a'.repeat(60)}*,\n  ${rest}`,
  );
});
