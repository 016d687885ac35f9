import { expect, test } from 'vitest';
import { expectToAnswer } from '#tests/support/fuzz/fuzz.ts';

test(
  'no request makes the server fail, or return an undocumented response',
  { timeout: 240_000 },
  async () => {
    await expect(expectToAnswer({ runs: 2, turns: 3, seed: 20_261_121 })).resolves.toBeUndefined();
  },
);
