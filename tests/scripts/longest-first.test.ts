import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LONGEST } from '../../.config/longest-first.ts';
import { ROOT } from '#tests/support/board/context.ts';

test('every file that starts first exists', () => {
  expect(LONGEST.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
