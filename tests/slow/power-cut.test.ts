import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { expectToOutlast } from '../support/board/power-cut.ts';

test.skipIf(!existsSync('/proc/self/stat'))(
  '100 power cuts lose nothing that was acknowledged',
  async () => {
    await expect(expectToOutlast(100, 2)).resolves.toBeUndefined();
  },
);
