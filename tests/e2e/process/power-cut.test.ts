import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { expectToOutlast } from '#tests/support/board/power-cut.ts';

test.skipIf(!existsSync('/proc/self/stat'))(
  'a power failure loses nothing that was acknowledged',
  { timeout: 120_000 },
  async () => {
    await expect(expectToOutlast(6, 1)).resolves.toBeUndefined();
  },
);
