import { expect, test } from 'vitest';
import { expectToSurvive } from '../support/crash.ts';

test('kill -9 in the middle of submissions loses nothing acknowledged', async () => {
  await expect(expectToSurvive(3)).resolves.toBeUndefined();
});
