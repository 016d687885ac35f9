import { expect, test } from 'vitest';
import { expectOneHistory } from '../support/board/restore-rounds.ts';

test('50 kills and restores show one history of the log', { timeout: 1_800_000 }, async () => {
  await expect(expectOneHistory(50)).resolves.toBeUndefined();
});
