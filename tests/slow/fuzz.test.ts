import { expect, test } from 'vitest';
import { expectToAnswer } from '../support/fuzz.ts';

// The same properties as in every run of the tests, at length and from another beginning.
process.env.FUZZ_RUNS = '5000';
process.env.FUZZ_SEED = String(Date.now() % 2 ** 31);
await import('../core/fuzz-parsers.test.ts');
await import('../core/fuzz-readers.test.ts');
await import('../server/fuzz-files.test.ts');
await import('../server/http/fuzz-headers.test.ts');
await import('../server/identity/fuzz-credentials.test.ts');
await import('../e2e/header-fuzz.test.ts');

test('no request of thousands makes the server fail', { timeout: 900_000 }, async () => {
  await expect(expectToAnswer({ runs: 200, seed: Date.now() })).resolves.toBeUndefined();
});
