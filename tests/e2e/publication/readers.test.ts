import { expect, test } from 'vitest';
import { expectCalmReading } from '#tests/support/http/reading-crowd.ts';

test('a reader during an update gets one complete publication', async () => {
  const calm = expectCalmReading({ operators: 20, readers: 40, reads: 10 });

  await expect(calm).resolves.toBeUndefined();
});
