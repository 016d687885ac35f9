import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getLeaderboard } from '#core/contract/leaderboard.ts';
import { ROUTE_TABLE } from '#core/contract/routes.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { isOtherName } from '#core/domain/account/loopback.ts';
import { prefersMarkdown } from '#server/http/request/accept.ts';
import {
  badgeAddress,
  cleanAddress,
  isClean,
  markdownAddress,
  readAddress,
} from '#server/http/request/address.ts';
import { bearerOf } from '#server/http/request/caller.ts';
import { encodingOf, mediaTypeOf, readForm, requireMediaType } from '#server/http/request/body.ts';
import { clientAddress, clientOf } from '#server/http/request/admission.ts';
import { refuseCrossSite } from '#server/http/request/cross-site.ts';
import { routePolicies } from '#server/http/routes/route-policy.ts';
import { chooseEncoding, holds, takesGzip } from '#server/http/response/send.ts';
import { browserLabel } from '#server/identity/sessions.ts';
import { readCookie, readSignedCookie } from '#server/identity/cookies.ts';
import { openCursor } from '#server/board/leaderboard.ts';
import { readIndexCursor } from '#server/publication/read/bounded-page.ts';
import { readProxies } from '#server/config/config.ts';
import { FUZZING, FUZZING_MS, mutatedText } from '#tests/support/fuzz/arbitrary-mutation.ts';
import { attempt, expectLinear } from '#tests/support/fuzz/arbitrary-text.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';

const isRefusal = (error: unknown) => error instanceof DomainError;
const proxies = readProxies('loopback, 10.0.0.0/8');
const policyOf = routePolicies(ROUTE_TABLE, { baseUrl: BASE_URL });

/** A request with one header field. Values that no field can have are rejected earlier. */
const requestWith = (name: string) => (read: (request: Request) => unknown) => (text: string) => {
  const value = text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '~');
  return read(new Request(BASE_URL, { headers: { [name]: value } }));
};

function atAddress(text: string): void {
  const address = readAddress(text, BASE_URL);
  if (address === null) return;
  badgeAddress(address);
  markdownAddress(address, ROUTE_TABLE);
  cleanAddress(address);
  isClean(address.path);
  policyOf(address);
}

const cursorOf = (cursor: string) => {
  return openCursor(getLeaderboard.query.parse({ cursor: cursor.slice(0, 2_000) || 'x' }));
};

/** Every function that reads untrusted input in a request head, by its argument. */
const READERS: readonly (readonly [name: string, reader: (text: string) => unknown])[] = [
  ['Accept', prefersMarkdown],
  ['Accept-Encoding', chooseEncoding],
  [
    'Accept-Encoding of a stream',
    (text) => takesGzip({ headers: { 'accept-encoding': text } } as unknown as IncomingMessage),
  ],
  ['Authorization', requestWith('authorization')(bearerOf)],
  ['Content-Encoding', requestWith('content-encoding')((request) => encodingOf(request, ['gzip']))],
  ['Content-Type', requestWith('content-type')(mediaTypeOf)],
  ['Content-Type of JSON', requestWith('content-type')((request) => requireMediaType(request, []))],
  ['Cookie', (text) => readCookie(text, 'session')],
  ['Cookie, signed', (text) => readSignedCookie(`session=${text}`, 'session', 'key')],
  ['Host', (text) => isOtherName(text, 'board.example')],
  ['If-None-Match', (text) => holds(text, '"1"')],
  ['Origin', requestWith('origin')(({ headers }) => refuseCrossSite(headers, BASE_URL))],
  ['User-Agent', browserLabel],
  ['X-Forwarded-For', (text) => clientAddress('127.0.0.1', text, proxies)],
  ['the client', clientOf],
  ['the target', atAddress],
  ['the cursor of a board', cursorOf],
  ['the cursor of a list', readIndexCursor],
];

describe('the request head', { timeout: FUZZING_MS }, () => {
  test.each(READERS)('is read in linear time: %s', (_, reader) => {
    expect(() => expectLinear(reader, isRefusal)).not.toThrow();
  });

  const sound = [
    'text/markdown;q=0.8, text/html;q=0.9, */*',
    'br;q=1.0, gzip;q=0, identity',
    'Bearer eyJhbGciOiJFZDI1NTE5In0.e30.AA',
    'multipart/form-data; boundary="a"',
    'session=abc; session.sig=def',
    '203.0.113.7, [2001:db8::1]:4711, 10.0.0.1',
    'W/"abc", "def", *',
    'http://127.0.0.1:4321/api/v1/leaderboard?window=7d#x',
    '/badge/../badge/%61da.svg?x',
    '1.0.999999999.0123456789abcdef',
    '2026-03-01.5.YQpiCmM',
    '[::ffff:7f00:1]:80',
  ];
  const anyText = fc.oneof(mutatedText(sound), fc.string({ unit: 'binary' }));

  test.each(READERS)(
    'is read or rejected with an error code, whatever it contains: %s',
    (_, reader) => {
      fc.assert(
        fc.property(anyText, (text) => attempt(reader, text, isRefusal)),
        FUZZING,
      );
    },
  );

  test('never takes anything but an address for the client', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(isIP(clientAddress('127.0.0.1', text, proxies))).not.toBe(0);
      }),
      FUZZING,
    );
  });

  test('never redirects to another host', () => {
    const target = mutatedText(['/a/./b//c/%2e%2e/d', '/\\evil.example', '/x/%5c%2fevil']);

    fc.assert(
      fc.property(target, (text) => {
        const address = readAddress(text, BASE_URL);
        const clean = address && cleanAddress(address);
        if (clean === null) return;
        expect(clean).toMatch(/^\/(?![/\\])/);
        expect(new URL(clean, BASE_URL).origin).toBe(BASE_URL);
      }),
      FUZZING,
    );
  });
});

describe('a form', { timeout: FUZZING_MS }, () => {
  test('is read or rejected with an error code, whatever the mutation', async () => {
    const parts = [
      '--a\r\nContent-Disposition: form-data; name="file"; filename="x.png"\r\n\r\nPNG\r\n--a--\r\n',
      '--a\r\nContent-Disposition: form-data; name="text"\r\n\r\nabc\r\n--a\r\nContent-Disposition: form-data; name="b"\r\n\r\n\r\n--a--\r\n',
    ];
    const types = mutatedText(['multipart/form-data; boundary=a']).map((text) => {
      return text.replaceAll(/[^\x20-\x7e]/g, '~');
    });
    const type = fc.oneof(fc.constant('multipart/form-data; boundary=a'), types);
    const route = { accepts: ['multipart/form-data'], bodyLimitBytes: 1_000_000 };

    await fc.assert(
      fc.asyncProperty(mutatedText(parts), type, async (body, mediaType) => {
        const headers = { 'Content-Type': mediaType };
        const request = new Request(BASE_URL, { method: 'POST', headers, body });
        const read = readForm(request, route as unknown as Parameters<typeof readForm>[1]);
        await read.catch((error: unknown) => {
          if (!isRefusal(error)) throw error;
        });
      }),
      FUZZING,
    );
  });
});
