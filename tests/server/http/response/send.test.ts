import { createHash, randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type PreparedResponse, prepare } from '#server/http/response/prepared-response.ts';
import { sendFinished, sendResponse } from '#server/http/response/send.ts';
import { type Asked, loopback } from '#tests/support/http/loopback.ts';

const LONG = Buffer.from('An honest board. '.repeat(100));
const SHORT = Buffer.from('short');
const HEADERS = { 'Content-Type': 'text/plain', 'Cache-Control': 'public, max-age=60' };

async function sending(bytes: Buffer, status = 200) {
  const finished = await prepare(bytes, HEADERS, status);
  const ask = await loopback((request, response) => sendFinished(request, response, finished));
  return { finished, ask };
}

async function answering(response: () => Response) {
  return loopback((request, out) => void sendResponse(request, out, response()));
}

const encodings = (accepted: string): Asked => ({ headers: { 'Accept-Encoding': accepted } });

describe('finish()', () => {
  test('tags each encoding by its own bytes', async () => {
    const { encodings } = await prepare(LONG, HEADERS);
    const tagOf = (bytes: Buffer) =>
      `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;

    const { identity, gzip, br } = encodings;
    expect([identity, gzip, br].map(({ etag }) => etag)).toEqual(
      [identity, gzip, br].map(({ bytes }) => tagOf(bytes)),
    );
    expect(new Set([identity.etag, gzip.etag, br.etag]).size).toBe(3);
    expect(gunzipSync(gzip.bytes).equals(LONG)).toBe(true);
    expect(brotliDecompressSync(br.bytes).equals(LONG)).toBe(true);
  });

  test.each([
    ['Content-Type', 'image/png'],
    ['content-type', 'image/webp'],
    ['Content-Type', 'font/woff2'],
  ])('does not compress again: %s: %s', async (name, mediaType) => {
    const { encodings } = await prepare(LONG, { [name]: mediaType });

    expect([encodings.gzip, encodings.br].map(({ bytes }) => bytes)).toEqual([LONG, LONG]);
    expect(encodings.br.head).not.toContain('Content-Encoding');
  });

  test('does not compress what would not get smaller', async () => {
    const hashes = randomBytes(8192);

    const { encodings } = await prepare(hashes, HEADERS);

    expect([encodings.gzip, encodings.br].map(({ bytes }) => bytes)).toEqual([hashes, hashes]);
    expect(encodings.gzip.head).not.toContain('Content-Encoding');
  });

  test('compresses nothing below 512 bytes', async () => {
    const below = await prepare(Buffer.alloc(511), HEADERS);
    const at = await prepare(Buffer.alloc(512), HEADERS);

    expect(below.encodings.br).toBe(below.encodings.identity);
    expect(at.encodings.br).not.toBe(at.encodings.identity);
  });
});

describe('sendFinished()', () => {
  test.each([
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.000, gzip; q=1', 'gzip'],
    ['br;q=0.001', 'br'],
    ['BR', 'br'],
    ['br;Q=0, GZIP', 'gzip'],
    ['br;level=1;q=0, gzip', 'gzip'],
  ])('for Accept-Encoding %j, sends the encoding %s', async (accepted, encoding) => {
    const { finished, ask } = await sending(LONG);
    const { status, headers, bytes } = await ask(encodings(accepted));
    const expected = finished.encodings[encoding as 'br' | 'gzip'];

    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      'content-length': String(expected.bytes.length),
      'content-type': 'text/plain',
      'cache-control': 'public, max-age=60',
      etag: expected.etag,
    });
    expect(bytes.equals(expected.bytes)).toBe(true);
  });

  test.each(['', 'identity', 'br;q=0', 'gzip;q=0, br;q=0.0', 'deflate', 'brotli', 'x-br', 'br-x'])(
    'sends plain bytes for Accept-Encoding %j',
    async (accepted) => {
      const { ask } = await sending(LONG);
      const { headers, bytes } = await ask(encodings(accepted));

      expect(headers).not.toHaveProperty('content-encoding');
      expect(bytes.equals(LONG)).toBe(true);
    },
  );

  test('sends short bytes plain, whatever the client accepts', async () => {
    const { ask } = await sending(SHORT);
    const { headers, bytes } = await ask(encodings('br, gzip'));

    expect(headers).not.toHaveProperty('content-encoding');
    expect(bytes.toString()).toBe('short');
  });

  test('sends the status of the prepared response', async () => {
    const { ask } = await sending(SHORT, 404);

    expect((await ask()).status).toBe(404);
  });

  test('responds with 304 only instead of a success', async () => {
    const { ask } = await sending(LONG, 302);

    expect((await ask({ headers: { 'If-None-Match': '*' } })).status).toBe(302);
  });

  const tagged: [string, (tag: string) => string][] = [
    ['the tag', (tag) => tag],
    ['the weak tag', (tag) => `W/${tag}`],
    ['a list', (tag) => `"x", ${tag}`],
    ['a list with no spaces', (tag) => `"x",W/${tag},"y"`],
    ['anything', () => '*'],
  ];

  test.each(tagged)('responds with 304 and no body to %s', async (_, fieldOf) => {
    const { finished, ask } = await sending(LONG);
    const { etag } = finished.encodings.br;
    const headers = { 'Accept-Encoding': 'br', 'If-None-Match': fieldOf(etag) };

    const answer = await ask({ headers });

    expect(answer.status).toBe(304);
    expect(answer.headers).toMatchObject({
      etag,
      'cache-control': 'public, max-age=60',
    });
    expect(answer.headers).not.toHaveProperty('content-type');
    expect(answer.headers).not.toHaveProperty('content-encoding');
    expect(answer.bytes).toHaveLength(0);
  });

  const foreign: [string, (finished: PreparedResponse) => string][] = [
    ['another tag', () => '"x"'],
    ['the tag of another encoding', ({ encodings }) => encodings.gzip.etag],
    ['the tag without quotes', ({ encodings }) => encodings.br.etag.replaceAll('"', '')],
    ['nothing', () => ''],
  ];

  test.each(foreign)('responds with 200 to %s', async (_, fieldOf) => {
    const { finished, ask } = await sending(LONG);
    const headers = { 'Accept-Encoding': 'br', 'If-None-Match': fieldOf(finished) };

    expect((await ask({ headers })).status).toBe(200);
  });

  test('responds to HEAD with the headers of GET and no body', async () => {
    const { ask } = await sending(LONG);
    const get = await ask(encodings('gzip'));
    const head = await ask({ method: 'HEAD', ...encodings('gzip') });

    const headers = { ...get.headers, date: expect.any(String) as string };
    expect(head).toMatchObject({ status: 200, headers });
    expect(head.bytes).toHaveLength(0);
  });
});

describe('sendResponse()', () => {
  test('tags and compresses responses that all clients share', async () => {
    const ask = await answering(() => new Response(LONG.toString(), { headers: HEADERS }));

    const { headers } = await ask(encodings('br'));

    expect(headers).toMatchObject({ 'content-encoding': 'br', etag: expect.any(String) as string });
  });

  test.each(['identity', 'gzip', 'br'])(
    'sends the same in %s as a prepared response',
    async (encoding) => {
      const ask = await answering(() => new Response(LONG.toString(), { headers: HEADERS }));
      const finished = await prepare(LONG, HEADERS);
      const { etag, bytes } = finished.encodings[encoding as 'br' | 'gzip' | 'identity'];

      const answer = await ask(encodings(encoding));
      const again = await ask({ headers: { 'Accept-Encoding': encoding, 'If-None-Match': etag } });

      expect(answer.headers).toMatchObject({ etag, 'content-length': String(bytes.length) });
      expect(answer.bytes.equals(bytes)).toBe(true);
      expect([again.status, again.bytes.length]).toEqual([304, 0]);
    },
  );

  test("lets the response's own headers take precedence, and adds to its links", async () => {
    const more = [
      ['Referrer-Policy', 'strict-origin'],
      ['Link', '</a>; rel="deprecation"'],
    ];
    const headers = { 'Referrer-Policy': 'no-referrer', Link: '</b>; rel="next"' };
    const ask = await loopback((request, out) => {
      void sendResponse(request, out, new Response('x', { headers }), more);
    });

    const answer = await ask();

    expect(answer.headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      link: '</a>; rel="deprecation", </b>; rel="next"',
    });
  });

  test.each([
    ['private', 200, 'GET'],
    ['no-store', 200, 'GET'],
    ['public, max-age=60', 404, 'GET'],
    ['public, max-age=60', 200, 'POST'],
  ])('sends %s, %d to %s unchanged', async (control, status, method) => {
    const headers = { 'Cache-Control': control };
    const ask = await answering(() => new Response(LONG.toString(), { status, headers }));

    const answer = await ask({ method, ...encodings('br') });

    expect(answer.status).toBe(status);
    expect(answer.headers).not.toHaveProperty('etag');
    expect(answer.headers).not.toHaveProperty('content-encoding');
    expect(answer.bytes.equals(LONG)).toBe(true);
  });

  test('keeps cookies separate', async () => {
    const ask = await answering(() => {
      const headers = new Headers({ 'Cache-Control': 'no-store' });
      headers.append('Set-Cookie', 'a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT');
      headers.append('Set-Cookie', 'b=2');
      return new Response('x', { headers });
    });

    expect((await ask()).headers['set-cookie']).toEqual([
      'a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT',
      'b=2',
    ]);
  });

  test('sends no body to HEAD, and its length', async () => {
    const ask = await answering(() => new Response('four'));
    const { headers, bytes } = await ask({ method: 'HEAD' });

    expect(headers).toMatchObject({ 'content-length': '4' });
    expect(bytes).toHaveLength(0);
  });
});
