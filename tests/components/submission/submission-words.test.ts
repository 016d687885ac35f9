import { expect, test } from 'vitest';
import { RecordStates } from '#core/schema/submission.ts';
import {
  STATE_WORDS,
  sharedText,
  statesOf,
  statesText,
} from '#components/submission/submission-words.ts';

const NONE = { counting: 0, superseded: 0, held: 0, rejected: 0, withdrawn: 0, erased: 0 };

test('statesText() lists the states of records', () => {
  const split = { ...NONE, counting: 1_200, superseded: 34 };

  expect(statesText({ records: 1_234, states: split })).toBe(
    '1,234 records: 1,200 counted, 34 replaced',
  );
  expect(statesText({ records: 1, states: { ...NONE, held: 1 } })).toBe('1 record, on hold');
  expect(statesOf(split)).toEqual([
    { state: 'counting', records: 1_200 },
    { state: 'superseded', records: 34 },
  ]);
});

test.each([
  ['on pages', STATE_WORDS.superseded.meaning],
  ['in the contract', RecordStates.shape.superseded.description],
])('superseded is explained %s with every cause', (_where, text) => {
  expect(text).toMatch(/later .*at least as large/);
  expect(text).toMatch(/earlier .*larger|larger earlier/);
  expect(text).toMatch(/a correction/);
  expect(text).toMatch(/equal .*another device/);
});

test.each([
  [{ records: 0, tokens: 0, in_part: 0 }, null],
  [
    { records: 1, tokens: 1, in_part: 0 },
    '1 record was also sent by another device of this operator. Its 1 token in common counts once.',
  ],
  [
    { records: 2, tokens: 1_240_000, in_part: 1 },
    '2 records were also sent by another device of this operator. Their 1.2 M tokens in common count once. If only a part is the same, the sum for that day is an estimate.',
  ],
])('sharedText() describes what several devices sent: %o', (shared, text) => {
  expect(sharedText(shared)).toBe(text);
});
