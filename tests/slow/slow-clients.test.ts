import { expect, test } from 'vitest';
import { expectPatience } from '../support/http/slow-clients.ts';

test.skipIf(process.platform !== 'linux')(
  'clients that send slowly, read nothing or never leave are disconnected in time',
  async () => {
    await expect(expectPatience({ each: 150, waitsForEnd: true })).resolves.toBeUndefined();
  },
);
