import fc from 'fast-check';
import { expect, test } from 'vitest';
import { generatedCodename, isReserved } from '#core/domain/account/codename.ts';
import { Codename } from '#core/schema/scalars.ts';

test('generatedCodename() returns valid codenames', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
      const codename = generatedCodename((limit) => (numbers.next().value ?? 0) % limit);
      expect(Codename.parse(codename)).toMatch(/^[a-z]+-[a-z]+-\d{1,3}$/);
      expect(isReserved(codename)).toBe(false);
    }),
  );
});

test('generatedCodename() uses all of its words', () => {
  const at = (place: number) => generatedCodename((limit) => place % limit);
  const words = Array.from({ length: 64 }, (_, place) => at(place).split('-').slice(0, 2));

  expect(new Set(words.flat()).size).toBe(128);
});
