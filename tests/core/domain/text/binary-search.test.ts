import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstNot, indexIn } from '#core/domain/text/binary-search.ts';

const RISING = fc.uniqueArray(fc.nat(50)).map((numbers) => numbers.sort((a, b) => a - b));

test('firstNot() counts the numbers that are below a limit', () => {
  fc.assert(
    fc.property(RISING, fc.nat(50), (numbers, limit) => {
      const below = firstNot(numbers.length, (at) => (numbers[at] ?? 0) < limit);
      expect(below).toBe(numbers.filter((number) => number < limit).length);
    }),
  );
});

test('indexIn() finds a number that is in the list, and no other', () => {
  fc.assert(
    fc.property(RISING, fc.nat(50), (numbers, wanted) => {
      const index = indexIn(numbers.length, wanted, (at) => numbers[at] ?? 0);
      expect(index ?? -1).toBe(numbers.indexOf(wanted));
    }),
  );
});
