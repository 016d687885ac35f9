import { expect, test } from 'vitest';
import { expectToSurvive } from '../support/board/crash.ts';

test('kill -9 loses nothing acknowledged in 280 rounds', { timeout: 1_800_000 }, async () => {
  const rounds = Array.from({ length: 280 }, (_, at) => at + 1);
  await expect(expectToSurvive(rounds)).resolves.toBeUndefined();
});
