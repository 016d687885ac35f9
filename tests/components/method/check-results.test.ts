import { expect, test } from 'vitest';
import { CheckId } from '#core/schema/moderation.ts';
import { CHEATING, HONEST_ROWS, checkResult } from '#components/method/check-results.ts';

test('kinds of cheating begin with what is found least often', () => {
  const held = CHEATING.map((kind) => Number(kind.held));

  expect(held).toEqual(held.toSorted((a, b) => a - b));
  expect(new Set(CHEATING.map(({ name }) => name)).size).toBe(CHEATING.length);
});

test('checks hold less than 0.5% of honest accounts', () => {
  expect(Number(HONEST_ROWS[0]?.[2])).toBeLessThan(0.5);
});

test('every check says how often it is wrong', () => {
  for (const check of CheckId.options) {
    expect(checkResult(check)).toMatch(/^Of honest accounts, [\d.]+% on hold and [\d.]+% noted\. /);
  }
});
