import { expect, test } from 'vitest';
import { passkeyDomain } from '#core/domain/account/passkey.ts';

test.each([
  ['https://bench.example.org', 'bench.example.org'],
  ['https://bench.example.org:8443', 'bench.example.org'],
  ['https://board', 'board'],
  ['http://localhost:4321', 'localhost'],
  ['http://bench.localhost', 'bench.localhost'],
  ['http://bench.example.org', null],
  ['http://127.0.0.1:4321', null],
  ['https://192.0.2.1', null],
  ['https://[2001:db8::1]', null],
  ['http://notlocalhost', null],
])('passkeyDomain() of %s is %s', (baseUrl, domain) => {
  expect(passkeyDomain(baseUrl)).toBe(domain);
});
