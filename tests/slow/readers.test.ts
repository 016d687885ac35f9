import { expect, test } from 'vitest';
import { expectCalmReading } from '../support/http/reading-crowd.ts';

test('a thousand concurrent readers each get one complete publication', async () => {
  const calm = expectCalmReading({ operators: 300, readers: 1_000, reads: 30 });

  await expect(calm).resolves.toBeUndefined();
});
