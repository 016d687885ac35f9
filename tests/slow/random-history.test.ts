// The same comparison as in `tests/server/publication/random-history.test.ts`, with more and longer histories. To repeat
// a failure, set HISTORY_SEED to the seed in its message.
import { expect, test } from 'vitest';
import { ACTIONS } from '../support/history/actions.ts';
import { publishedHistories } from '../support/history/run-history.ts';

const REPEATED = process.env['HISTORY_SEED'];
const HISTORIES = REPEATED ? 1 : 100;
const STEPS = 60;

test('every publication of many long histories shows what the rules define, to the bit', async () => {
  const first = Number(REPEATED ?? Math.floor(Date.now() / 1000));

  const done = await publishedHistories({ first, histories: HISTORIES, steps: STEPS });

  const missing = Object.keys(ACTIONS).filter((name) => !done.has(name));
  expect(REPEATED ? [] : missing).toEqual([]);
}, 3_600_000);
