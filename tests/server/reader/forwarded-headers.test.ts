import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { isFromReader } from '#server/reader/forwarded-headers.ts';

describe('isFromReader()', () => {
  test.each([
    [undefined, false],
    ['', false],
    ['1.1 Caddy', false],
    ['1.1 varnish (Varnish/7.5), 2 d1.cloudfront.net (CloudFront)', false],
    ['1.1 opbench-reader (Varnish/7.5)', false],
    ['1.1 cdn (before opbench+reader), 1.1 my-opbench+reader', false],
    ['1.1 opbench+reader', true],
    ['1.0 fred, 1.1 opbench+reader', true],
    ['1.1 opbench+reader (comment),2 cdn.example:8443', true],
    ['HTTP/1.1  Opbench+Reader', true],
  ])('of Via: %s is %s', (via, isOne) => {
    expect(isFromReader({ headers: { via } } as IncomingMessage)).toBe(isOne);
  });
});
