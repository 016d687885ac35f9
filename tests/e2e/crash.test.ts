import { expect, test } from 'vitest';
import { expectToSurvive } from '../support/board/crash.ts';

test(
  'kill -9 in the middle of all that it does loses nothing acknowledged',
  {
    timeout: 240_000,
  },
  async () => {
    await expect(expectToSurvive(20)).resolves.toBeUndefined();
  },
);
