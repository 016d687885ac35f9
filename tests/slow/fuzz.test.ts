// The same properties as in every run of the tests, at length and from another beginning.
import '../core/fuzz-parsers.test.ts';
import '../core/fuzz-readers.test.ts';
import '../server/config/fuzz-files.test.ts';
import '../server/http/request/fuzz-headers.test.ts';
import '../server/identity/fuzz-credentials.test.ts';
import '../e2e/http/header-fuzz.test.ts';
import { expect, test } from 'vitest';
import { FUZZING } from '../support/fuzz/arbitrary-mutation.ts';
import { expectToAnswer } from '../support/fuzz/fuzz.ts';

test('properties are tried at length', () => {
  expect(FUZZING.numRuns).toBe(5_000);
});

test('no request of thousands makes the server fail', { timeout: 900_000 }, async () => {
  await expect(expectToAnswer({ runs: 200, seed: FUZZING.seed })).resolves.toBeUndefined();
});
