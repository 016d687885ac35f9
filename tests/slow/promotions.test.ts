import { expect, test } from 'vitest';
import { type Plan, expectOneWriter } from '../support/board/promotion-rounds.ts';

const ROUNDS = 20;

/** Every second round has a copy from seconds before the end. In every fourth, the old writer goes on. */
function planOf(_: unknown, round: number): Plan {
  const copy = round % 2 === 0 ? 'backup' : 'replica';
  return { copy, isCutOff: round % 4 === 3, sends: 20 + Math.floor(Math.random() * 60) };
}

test('20 machines take over from each other', { timeout: 1_200_000 }, async () => {
  const times = await expectOneWriter(Array.from({ length: ROUNDS }, planOf));
  console.table(times);
  expect(times).toHaveLength(ROUNDS);
});
