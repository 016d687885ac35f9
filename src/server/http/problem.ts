import { PROBLEMS, PROBLEM_MEDIA_TYPE, type Problem } from '#core/contract/problem.ts';
import { DomainError } from '#core/domain/errors.ts';
import { QuotaError } from '../rate-limit.ts';
import { MethodError } from './methods.ts';
import { policyField, rateLimitField } from './rate-limit-fields.ts';

/** When to try again what could not be served now. */
const RETRY_AFTER_SECONDS = 2;

/** What the store says when it cannot write now, but may later. */
const PASSING = /^SQLITE_(BUSY|FULL|IOERR|LOCKED|READONLY)/;

/** What a problem needs to know of the request that it answers. */
export interface ProblemContext {
  baseUrl: string;
  requestId: string;
}

/** A refusal as problem details; anything but a `DomainError` shows nothing of itself. */
export function problemOf(error: unknown, { baseUrl, requestId }: ProblemContext): Problem {
  const { code, message, faults } = error instanceof DomainError ? error : disguise(error);
  const { status, title, hint } = PROBLEMS[code];
  return {
    type: `${baseUrl}/problems/${code}`,
    title,
    status,
    detail: message,
    code,
    ...(hint !== null && { hint }),
    instance: `urn:uuid:${requestId}`,
    ...(faults.length > 0 && { errors: [...faults] }),
  };
}

function disguise(error: unknown): DomainError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return PASSING.test(code)
    ? new DomainError('service_unavailable', 'The board cannot write now; nothing was stored')
    : new DomainError('internal_error', 'Something went wrong; the server log has the details');
}

/** The headers that every problem carries, and those that its status and its error ask for. */
export function problemHeaders({ status, code }: Problem, error: unknown): Record<string, string> {
  return {
    'Content-Type': `${PROBLEM_MEDIA_TYPE}; charset=utf-8`,
    'Cache-Control': 'no-store',
    ...(status === 503 && { 'Retry-After': String(RETRY_AFTER_SECONDS) }),
    ...(error instanceof MethodError && { Allow: error.allowed.join(', ') }),
    ...(error instanceof QuotaError && quotaHeaders(error)),
    ...(status === 401 && {
      'WWW-Authenticate': code === 'token_invalid' ? 'Bearer error="invalid_token"' : 'Bearer',
    }),
  };
}

/** What is said, on a page too, when a quota is used up. */
export function quotaHeaders({ count }: QuotaError): Record<string, string> {
  return {
    'RateLimit-Policy': policyField(count),
    RateLimit: rateLimitField(count),
    'Retry-After': String(count.resetSeconds),
  };
}
