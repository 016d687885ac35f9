import { expect, test } from 'vitest';
import { expectToSurvive } from '../support/board/crash.ts';

test('kill -9 loses nothing acknowledged in 280 rounds', { timeout: 1_800_000 }, async () => {
  await expect(expectToSurvive(280)).resolves.toBeUndefined();
});
