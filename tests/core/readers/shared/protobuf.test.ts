import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countIn, countsIn, messageIn, messageOf, textIn } from '#core/readers/shared/protobuf.ts';
import { digitsOf, textDigits } from '#tests/support/logs/protobuf.ts';

const fields = fc.uniqueArray(
  fc.tuple(
    fc.integer({ min: 1, max: 3000 }),
    fc.oneof(fc.maxSafeNat(), fc.string({ minLength: 1, unit: 'grapheme' })),
  ),
  { selector: ([field]) => field },
);

test('reads numbers and texts by field', () => {
  fc.assert(
    fc.property(fields, (told) => {
      const message = messageOf(
        digitsOf(
          told.map(([field, value]) => [
            field,
            typeof value === 'string' ? textDigits(value) : value,
          ]),
        ),
      );
      for (const [field, value] of told) {
        const read = typeof value === 'string' ? textIn : countIn;

        expect(read(message ?? new Map(), field)).toBe(value);
      }
    }),
  );
});

test('reads messages in messages, also if they are given by several fields', () => {
  const message = messageOf(digitsOf([[1, digitsOf([[2, 300]])]])) ?? new Map();
  const inner = messageIn(message, 1) ?? new Map();

  expect(countIn(inner, 2)).toBe(300);
  expect(messageIn(message, 7)).toEqual(new Map());
});

test('reads packed numbers and others', () => {
  const packed = messageOf('1203058001') ?? new Map();
  const others = messageOf('10051080011000') ?? new Map();

  expect(countsIn(packed, 2)).toEqual([5, 128]);
  expect(countsIn(others, 2)).toEqual([5, 128, 0]);
  expect(countsIn(packed, 3)).toEqual([]);
});

test('passes over numbers of fixed length', () => {
  const message = messageOf(`0d0000803f11${'00'.repeat(8)}1807`) ?? new Map();

  expect([...message]).toEqual([[3, [7]]]);
});

test('a missing value is zero or empty, and one of another type is invalid', () => {
  const message =
    messageOf(
      digitsOf([
        [1, 5],
        [2, textDigits('a')],
      ]),
    ) ?? new Map();

  expect([countIn(message, 3), textIn(message, 3)]).toEqual([0, '']);
  expect([countIn(message, 2), textIn(message, 1), messageIn(message, 1)]).toEqual([
    NaN,
    null,
    null,
  ]);
  expect(textIn(messageOf(digitsOf([[1, 'ff']])) ?? new Map(), 1)).toBeNull();
  expect(textIn(messageOf(digitsOf([[1, '61'.repeat(1025)]])) ?? new Map(), 1)).toBeNull();
  expect(countIn(messageOf(`08${'ff'.repeat(9)}01`) ?? new Map(), 1)).toBeNaN();
});

test.each([
  '0',
  '0a',
  '0a05aa',
  '0b',
  '0f',
  '00',
  'xyz',
  '0d00',
  'ffffffffffffffffffffff',
  7,
  null,
])('%j is not a message', (digits) => {
  expect(messageOf(digits)).toBeNull();
});

test('takes linear time', () => {
  const text = textDigits('a'.repeat(1 << 20));
  const message =
    messageOf(
      digitsOf([
        [
          1,
          digitsOf([
            [2, text],
            [3, 4],
          ]),
        ],
      ]),
    ) ?? new Map();

  expect(countIn(messageIn(message, 1) ?? new Map(), 3)).toBe(4);
});
