import { expect, test } from 'vitest';
import { expectToSurvive } from '#tests/support/board/crash.ts';

test(
  'kill -9 at any time loses nothing that was acknowledged',
  {
    timeout: 240_000,
  },
  async () => {
    // A normal run, one killed while the public log is written, and one killed while an account is deleted.
    await expect(expectToSurvive([1, 3, 5])).resolves.toBeUndefined();
  },
);
