import { expect, test } from 'vitest';
import { expectCalmReading } from '../support/http/reading-crowd.ts';

test('who reads while the board is published anew gets one publication, whole', async () => {
  const calm = expectCalmReading({ operators: 40, readers: 60, reads: 10 });

  await expect(calm).resolves.toBeUndefined();
});
