import { expect, test } from 'vitest';
import { publishedHistories } from '#tests/support/history/run-history.ts';

test('every publication of random histories shows what the rules define, to the bit', async () => {
  const done = await publishedHistories({ first: 1, histories: 2, steps: 24 });

  expect([...done]).toEqual(expect.arrayContaining(['submit', 'withdraw', 'hide', 'newDay']));
});

test('so does one that begins with ruleset 2 and a minimum of stated days', async () => {
  await publishedHistories({ first: 48, histories: 1, steps: 24 });
});
