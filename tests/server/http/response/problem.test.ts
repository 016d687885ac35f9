import { describe, expect, test } from 'vitest';
import { LIMITS } from '#core/contract/limits.ts';
import { Problem } from '#core/contract/problem.ts';
import { PROBLEMS } from '#core/contract/problems.ts';
import { DomainError, type ErrorCode } from '#core/domain/text/errors.ts';
import { problemHeaders, problemOf } from '#server/http/response/problem.ts';
import { QuotaError, RateLimiter } from '#server/process/rate-limit.ts';

const CONTEXT = {
  baseUrl: 'https://bench.example',
  requestId: '6f0f6a4e-0000-4000-8000-000000000000',
};

describe('problemOf()', () => {
  test("contains an error's faults", () => {
    const faults = [{ pointer: '#/a', code: 'x', detail: 'y' }];

    expect(
      problemOf(new DomainError('key_known', 'The key K is enrolled', faults), CONTEXT),
    ).toEqual({
      type: 'https://bench.example/problems/key_known',
      title: 'The key is already enrolled',
      status: 409,
      detail: 'The key K is enrolled',
      code: 'key_known',
      hint: PROBLEMS.key_known.hint,
      instance: 'urn:uuid:6f0f6a4e-0000-4000-8000-000000000000',
      errors: faults,
    });
  });

  test.each([
    new Error('secret: no such table'),
    Object.assign(new Error('secret'), { code: 'key_known', status: 200, faults: [] }),
    'secret',
    null,
    undefined,
    { name: 'DomainError', code: 'key_known', message: 'secret' },
  ])('reveals nothing about an unknown error (%#)', (error) => {
    const problem = problemOf(error, CONTEXT);

    expect(problem).toMatchObject({ status: 500, code: 'internal_error' });
    expect(JSON.stringify(problem)).not.toContain('secret');
    expect(problem).not.toHaveProperty('hint');
    expect(problem).not.toHaveProperty('errors');
  });

  test.each(Object.keys(PROBLEMS) as ErrorCode[])('matches the schema for %s', (code) => {
    const problem = problemOf(new DomainError(code, 'Detail'), CONTEXT);

    expect(Problem.parse(problem)).toEqual(problem);
  });
});

/** Which scope a token needs, and where to find its issuer. */
const WANTED = `scope="openid", resource_metadata="${CONTEXT.baseUrl}/.well-known/oauth-protected-resource"`;

describe('problemHeaders()', () => {
  test.each([
    ['unauthenticated', `Bearer realm="opbench", ${WANTED}`],
    [
      'token_invalid',
      `Bearer realm="opbench", error="invalid_token", error_description="a 'b'", ${WANTED}`,
    ],
    [
      'insufficient_scope',
      `Bearer realm="opbench", error="insufficient_scope", error_description="a 'b'", ${WANTED}`,
    ],
    ['api_key_invalid', 'Bearer'],
  ] as const)('asks for credentials on %s', (code, challenge) => {
    const error = new DomainError(code, 'a "b"');
    const headers = problemHeaders(problemOf(error, CONTEXT), error, CONTEXT.baseUrl);

    expect(headers).toEqual({
      'Content-Type': 'application/problem+json; charset=utf-8',
      'Cache-Control': 'no-store',
      'WWW-Authenticate': challenge,
    });
  });

  test('asks for none on other errors', () => {
    const bytes = new RateLimiter(LIMITS, () => 0).count('device_bytes', 'a', { cost: 24 });
    const error = new QuotaError(bytes);
    const headers = problemHeaders(problemOf(error, CONTEXT), error, CONTEXT.baseUrl);

    expect(headers).toEqual({
      'Content-Type': 'application/problem+json; charset=utf-8',
      'Cache-Control': 'no-store',
      'RateLimit-Policy': '"device_bytes";q=67108864;w=86400;qu="content-bytes"',
      RateLimit: '"device_bytes";r=67108840;t=86400',
      'Retry-After': '86400',
    });
  });
});
