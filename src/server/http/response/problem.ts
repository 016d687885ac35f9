import { PROBLEM_MEDIA_TYPE, type Problem } from '#core/contract/problem.ts';
import { PROBLEMS } from '#core/contract/problems.ts';
import { DomainError, type ErrorCode } from '#core/domain/text/errors.ts';
import { NEEDED_SCOPE, type Resource, resourceMetadataPath } from '#core/domain/account/oauth.ts';
import type { AppContext } from '#server/context.ts';
import type { Logger } from '#server/process/logger.ts';
import { type Count, QuotaError } from '#server/process/rate-limit.ts';
import { logFailure, storageFaultOf } from '#server/process/storage-fault.ts';
import { BearerFormError } from '../request/caller.ts';
import { MethodError } from '../routes/methods.ts';

/** When to retry a request that failed temporarily. */
const RETRY_AFTER_SECONDS = 2;

/** What a problem contains about its request. */
interface ProblemContext {
  baseUrl: string;
  requestId: string;
}

/** Converts an error to problem details. Reveals nothing about errors other than `DomainError`. */
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

/** The same for a request with a handler. Logs errors other than `DomainError`. */
export function loggedProblem(
  error: unknown,
  { ctx, requestId }: { ctx: Pick<AppContext, 'config' | 'logger'>; requestId: string },
): Problem {
  const problem = problemOf(error, { baseUrl: ctx.config.baseUrl, requestId });
  if (problem.status >= 500 && !(error instanceof DomainError)) {
    logFailedRequest(ctx.logger, error, requestId);
  }
  return problem;
}

function disguise(error: unknown): DomainError {
  return (
    storageRefusal(error) ??
    new DomainError('internal_error', 'Something went wrong. The server log has the details')
  );
}

/** The error shown after a storage fault; null for any other error. */
export function storageRefusal(error: unknown): DomainError | null {
  if (storageFaultOf(error) === null) return null;
  return new DomainError(
    'service_unavailable',
    'The board cannot use its storage at the moment. Nothing was stored',
  );
}

/** Logs why a request failed. */
export function logFailedRequest(logger: Logger, error: unknown, request: string): void {
  const event = storageFaultOf(error) === null ? 'request_failed' : 'storage_failed';
  logFailure(logger, event, error, { request });
}

/**
 * The headers of every problem, and those for its status and error.
 *
 * @param resource The resource for which a token is needed.
 */
export function problemHeaders(
  problem: Problem,
  error: unknown,
  baseUrl: string,
  resource: Resource = 'api',
): Record<string, string> {
  const { status } = problem;
  const challenge = challengeOf(problem, error, baseUrl + resourceMetadataPath(resource));
  return {
    'Content-Type': `${PROBLEM_MEDIA_TYPE}; charset=utf-8`,
    'Cache-Control': 'no-store',
    ...(error instanceof MethodError && { Allow: error.allowed.join(', ') }),
    ...retryHeaders(status, error),
    ...(challenge !== null && { 'WWW-Authenticate': challenge }),
  };
}

/** The names of access token errors in RFC 6750. */
const TOKEN_ERRORS: Partial<Record<ErrorCode, string>> = {
  insufficient_scope: 'insufficient_scope',
  token_invalid: 'invalid_token',
};

/**
 * Says which credentials a request needs; null if a token would not help. A request without credentials gets no error
 * code.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc6750#section-3 | RFC 6750, section 3} and {@link
 * https://www.rfc-editor.org/rfc/rfc9728#section-5.1 | RFC 9728, section 5.1}
 */
function challengeOf({ status, code, detail }: Problem, error: unknown, resource_metadata: string) {
  const isMalformed = error instanceof BearerFormError;
  const name = isMalformed ? 'invalid_request' : TOKEN_ERRORS[code];
  if (status !== 401 && name === undefined) return null;
  // HTTP requires a challenge with every 401, but none is defined for API keys.
  if (code === 'api_key_invalid') return 'Bearer';
  const fields = {
    realm: 'opbench',
    ...(name !== undefined && { error: name, error_description: detail.replaceAll(/["\\]/g, "'") }),
    scope: NEEDED_SCOPE,
    resource_metadata,
  };
  const parts = Object.entries(fields).map(([field, value]) => `${field}="${value}"`);
  return `Bearer ${parts.join(', ')}`;
}

/** The Retry-After header of problems and error pages. */
export function retryHeaders(status: number, error: unknown): Record<string, string> {
  return {
    ...([429, 503].includes(status) && { 'Retry-After': String(RETRY_AFTER_SECONDS) }),
    ...(error instanceof QuotaError && quotaHeaders(error)),
  };
}

function quotaHeaders({ count }: QuotaError): Record<string, string> {
  return {
    'RateLimit-Policy': policyField(count),
    RateLimit: rateLimitField(count),
    'Retry-After': String(count.resetSeconds),
  };
}

/** All rate limit fields of a policy's window, including the three older ones: name, value, name, value. */
export function rateLimitFields(count: Count): string[] {
  return [
    'RateLimit-Policy',
    policyField(count),
    'RateLimit',
    rateLimitField(count),
    'RateLimit-Limit',
    String(count.quota),
    'RateLimit-Remaining',
    String(count.remaining),
    'RateLimit-Reset',
    String(count.resetSeconds),
  ];
}

/**
 * The value of RateLimit-Policy.
 *
 * @see {@link https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10 | RateLimit header
 * fields}
 */
function policyField({ policy, quota, windowSeconds, unit }: Count): string {
  const counted = unit === 'requests' ? '' : `;qu="${unit}"`;
  return `"${policy}";q=${quota};w=${windowSeconds}${counted}`;
}

/** The value of RateLimit. */
function rateLimitField({ policy, remaining, resetSeconds }: Count): string {
  return `"${policy}";r=${remaining};t=${resetSeconds}`;
}
