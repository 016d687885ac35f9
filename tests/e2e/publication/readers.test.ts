import { expect, test } from 'vitest';
import { expectCalmReading } from '#tests/support/http/reading-crowd.ts';

test('who reads while the board is published anew gets one publication, whole', async () => {
  const calm = expectCalmReading({ operators: 20, readers: 40, reads: 10 });

  await expect(calm).resolves.toBeUndefined();
});
