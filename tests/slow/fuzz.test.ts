// The same properties as in the other lanes, with more runs and another seed.
import '../core/fuzz-parsers.test.ts';
import '../core/fuzz-readers.test.ts';
import '../server/config/fuzz-files.test.ts';
import '../server/http/request/fuzz-headers.test.ts';
import '../server/identity/fuzz-credentials.test.ts';
import '../e2e/http/header-fuzz.test.ts';
import { expect, test } from 'vitest';
import { FUZZING } from '../support/fuzz/arbitrary-mutation.ts';
import { expectToAnswer } from '../support/fuzz/fuzz.ts';

test('properties hold in many more runs', () => {
  expect(FUZZING.numRuns).toBe(5_000);
});

test('thousands of requests do not make the server fail', { timeout: 900_000 }, async () => {
  await expect(expectToAnswer({ runs: 200, seed: FUZZING.seed })).resolves.toBeUndefined();
});
