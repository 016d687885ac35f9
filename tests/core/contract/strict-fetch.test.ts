import { describe, expect, test } from 'vitest';
import { CONTENT_SIGNAL } from '#core/contract/crawlers.ts';
import { EXAMPLES } from '#core/contract/examples/examples.ts';
import { Contract, strictFetch } from '#tests/support/http/contract.ts';
import { SECURE_URL, aDocument } from '#tests/support/http/openapi.ts';

const document = aDocument();
const contract = new Contract(document);
const LIST = '/api/v1/submissions';

/** The headers of a public read, as the server sends them. */
const FIELDS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'public, max-age=60',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Link',
  'Content-Signal': CONTENT_SIGNAL,
  ETag: '"abc"',
  Vary: 'Accept-Encoding, X-API-Key',
  RateLimit: '"public";r=59;t=60',
  'RateLimit-Policy': '"public";q=60;w=60',
  'RateLimit-Limit': '60',
  'RateLimit-Remaining': '59',
  'RateLimit-Reset': '60',
  'X-Content-Type-Options': 'nosniff',
};

const REFUSAL = {
  ...FIELDS,
  'Content-Type': 'application/problem+json',
  'Cache-Control': 'no-store',
};
const REFUSED = without(REFUSAL, 'ETag');

function without(fields: Record<string, string>, ...names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

function listing(over: object = {}): string {
  return JSON.stringify({ ...(EXAMPLES['listSubmissions']?.reply as object), ...over });
}

function problem(code: string): string {
  return JSON.stringify(document.components.examples[code]?.value);
}

/** Sends a request that gets this response. */
async function ask(
  answer: { status?: number; headers?: Record<string, string>; body?: string | null },
  path = LIST,
  method = 'GET',
): Promise<number> {
  const { status = 200, headers = FIELDS, body = listing() } = answer;
  const send = () => Promise.resolve(new Response(body, { status, headers }));
  const response = await strictFetch(contract, send)(`${SECURE_URL}${path}`, { method });
  return response.status;
}

describe('strictFetch() accepts', () => {
  test('declared responses', async () => {
    expect(await ask({})).toBe(200);
  });

  test('CSV, 304, HEAD and declared errors', async () => {
    const csv = { ...FIELDS, 'Content-Type': 'text/csv; charset=utf-8; header=present' };
    expect(await ask({ headers: csv, body: 'log_index\r\n' })).toBe(200);
    expect(await ask({ status: 304, headers: without(FIELDS, 'Content-Type'), body: null })).toBe(
      304,
    );
    expect(await ask({ body: null }, LIST, 'HEAD')).toBe(200);
    expect(await ask({ status: 404, headers: REFUSED, body: problem('not_found') })).toBe(404);
  });

  test('a method that is not allowed, and OPTIONS', async () => {
    const headers = { ...REFUSED, Allow: 'GET, HEAD, OPTIONS' };
    const body = problem('method_not_allowed');
    expect(await ask({ status: 405, headers, body }, LIST, 'POST')).toBe(405);
    expect(await ask({ status: 204, headers: { Allow: 'GET' }, body: null }, LIST, 'OPTIONS')).toBe(
      204,
    );
  });

  test('a problem at an unknown path, and any page', async () => {
    const nowhere = { status: 404, headers: REFUSED, body: problem('not_found') };
    expect(await ask(nowhere, '/api/v1/nothing')).toBe(404);
    expect(await ask({ headers: { 'Content-Type': 'text/html' }, body: '<p>' }, '/')).toBe(200);
  });
});

describe('strictFetch() rejects', () => {
  test.each([
    ['a status', { status: 202 }, 'The status 202 is not declared'],
    ['an error status', { status: 502 }, 'The status 502 is not declared'],
    [
      'another media type',
      { headers: { ...FIELDS, 'Content-Type': 'text/html' } },
      'text/html is not',
    ],
    ['a missing field', { headers: without(FIELDS, 'ETag') }, 'The header ETag is missing'],
    ['no limit', { headers: without(FIELDS, 'RateLimit') }, 'The header RateLimit is missing'],
    ['an extra field', { headers: { ...FIELDS, 'X-Debug': '1' } }, 'x-debug is not declared'],
    ['a cookie', { headers: { ...FIELDS, 'Set-Cookie': 'a=b' } }, 'set-cookie is not declared'],
    ['a wrong field', { headers: { ...FIELDS, 'RateLimit-Limit': 'x' } }, 'RateLimit-Limit is x'],
    ['an unquoted tag', { headers: { ...FIELDS, ETag: 'abc' } }, 'ETag is abc'],
    ['a missing member', { body: '{"total":1,"entries":[]}' }, "'next_cursor'"],
    ['an extra member', { body: listing({ secret: 1 }) }, 'additional properties'],
    ['null for a number', { body: listing({ total: null }) }, '/total must be integer'],
    ['a number for null', { body: listing({ next_cursor: 7 }) }, '/next_cursor must be string'],
    ['broken JSON', { body: '{' }, 'The body is not JSON'],
  ])('%s', async (_, answer, fault) => {
    await expect(ask(answer)).rejects.toThrow(fault);
  });

  test.each([
    [
      'a code of another operation',
      404,
      problem('as_of_unavailable'),
      'as_of_unavailable is not declared',
    ],
    ['a code of another status', 404, problem('query_invalid'), 'query_invalid is not declared'],
    ['a problem without hint or code', 404, '{"status":404}', "required property 'code'"],
  ])('%s', async (_, status, body, fault) => {
    await expect(ask({ status, headers: REFUSED, body })).rejects.toThrow(fault);
  });

  test('a problem with a different status', async () => {
    const body = problem('not_found').replace('404', '410');
    const answer = { status: 404, headers: REFUSED, body };
    await expect(ask(answer)).rejects.toThrow('The problem says 410');
  });

  test('HTML and success at an unknown path', async () => {
    const html = { status: 404, headers: { 'Content-Type': 'text/html' }, body: '<p>' };
    await expect(ask(html, '/api/v1/nothing')).rejects.toThrow('A refusal is text/html');
    await expect(ask({}, '/api/v1/nothing')).rejects.toThrow('Nothing is declared here');
  });

  test('an undeclared body', () => {
    const headers = new Headers(without(FIELDS, 'Content-Type'));
    const exchange = { method: 'GET', path: LIST, headers, body: '{}' };
    expect(contract.faults({ ...exchange, status: 304 })).toEqual(['A body is not declared']);
  });

  test('success for an unknown method', async () => {
    await expect(ask({}, LIST, 'DELETE')).rejects.toThrow('DELETE is not an operation');
    await expect(ask({}, LIST, 'OPTIONS')).rejects.toThrow('OPTIONS is answered 200');
  });
});
