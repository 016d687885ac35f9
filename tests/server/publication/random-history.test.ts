import { expect, test } from 'vitest';
import { publishedHistories } from '#tests/support/history/run-history.ts';

test('every publication of random histories shows what the rules define, to the bit', async () => {
  await expect(publishedHistories({ first: 1, histories: 5, steps: 24 })).resolves.toBeDefined();
});
