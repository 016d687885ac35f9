import { expect, test } from 'vitest';
import { networkOf } from '#server/process/rate-limit.ts';
import { clientOf } from '#server/http/request/admission.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:ff00::1', '2001:db8:1:ff00'],
  ['2001:db8:1:ffff::1', '2001:db8:1:ff00'],
  ['2001:db8:1:7::1', '2001:db8:1:0'],
  ['2001:db8:1:100::1', '2001:db8:1:100'],
  ['2001:db8::1', '2001:db8:0:0'],
])('an address counts as its network: %s as %s', (address, network) => {
  expect(networkOf(clientOf(address))).toBe(network);
});
