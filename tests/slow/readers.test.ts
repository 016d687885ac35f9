import { expect, test } from 'vitest';
import { expectCalmReading } from '../support/http/reading-crowd.ts';

test('a thousand readers at once get one publication each, whole', async () => {
  const calm = expectCalmReading({ operators: 300, readers: 1_000, reads: 30 });

  await expect(calm).resolves.toBeUndefined();
});
