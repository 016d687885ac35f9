import { expect, test } from 'vitest';
import { expectToSurvive } from '../support/crash.ts';

test('kill -9 loses nothing acknowledged in 200 rounds', { timeout: 600_000 }, async () => {
  await expect(expectToSurvive(200)).resolves.toBeUndefined();
});
