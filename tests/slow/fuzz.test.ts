import { expect, test } from 'vitest';
import { expectToAnswer } from '../support/fuzz.ts';

test('no request of thousands makes the server fail', { timeout: 900_000 }, async () => {
  await expect(expectToAnswer({ runs: 200, seed: Date.now() })).resolves.toBeUndefined();
});
