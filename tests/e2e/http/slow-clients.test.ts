import { describe, expect, test } from 'vitest';
import { expectPatience } from '#tests/support/http/slow-clients.ts';

describe('clients that send little, read nothing or never leave', () => {
  test.skipIf(process.platform !== 'linux')(
    'do not delay responses to others, however many there are',
    async () => {
      await expect(expectPatience({ each: 50, waitsForEnd: false })).resolves.toBeUndefined();
    },
  );
});
