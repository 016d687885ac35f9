import { expect, test } from 'vitest';
import { expectOneHistory } from '#tests/support/board/restore-rounds.ts';

test('kills and restores from each source show one history of the log', async () => {
  await expect(expectOneHistory(3)).resolves.toBeUndefined();
});
