import { describe, expect, test } from 'vitest';
import { expectPatience } from '#tests/support/http/slow-clients.ts';

describe('clients that say little, read nothing or never leave', () => {
  test.skipIf(process.platform !== 'linux')(
    'keep nobody else from being answered, however many they are',
    async () => {
      await expect(expectPatience({ each: 50, waitsForEnd: false })).resolves.toBeUndefined();
    },
  );
});
