import { expect, test } from 'vitest';
import { expectToSurvive } from '#tests/support/board/crash.ts';

test(
  'kill -9 in the middle of all that it does loses nothing acknowledged',
  {
    timeout: 240_000,
  },
  async () => {
    // An ordinary life, one that ends while the public log is written, and one while an account is deleted.
    await expect(expectToSurvive([1, 3, 5])).resolves.toBeUndefined();
  },
);
