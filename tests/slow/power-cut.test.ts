import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { expectToOutlast } from '../support/board/power-cut.ts';

test.skipIf(!existsSync('/proc/self/stat'))(
  'a power cut loses nothing acknowledged, in 100 of them',
  async () => {
    await expect(expectToOutlast(100, 2)).resolves.toBeUndefined();
  },
);
