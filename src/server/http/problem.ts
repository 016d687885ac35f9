import { PROBLEMS, PROBLEM_MEDIA_TYPE, type Problem } from '#core/contract/problem.ts';
import { DomainError } from '#core/domain/errors.ts';

/** What a problem needs to know of the request that it answers. */
export interface ProblemContext {
  baseUrl: string;
  requestId: string;
}

/** A refusal as problem details; anything but a `DomainError` shows nothing of itself. */
export function problemOf(error: unknown, { baseUrl, requestId }: ProblemContext): Problem {
  const known = error instanceof DomainError;
  const code = known ? error.code : 'internal_error';
  const { status, title, hint } = PROBLEMS[code];
  return {
    type: `${baseUrl}/problems/${code}`,
    title,
    status,
    detail: known ? error.message : 'Something went wrong; the server log has the details',
    code,
    ...(hint !== null && { hint }),
    instance: `urn:uuid:${requestId}`,
    ...(known && error.faults.length > 0 && { errors: [...error.faults] }),
  };
}

/** The headers that every problem carries, and those that its status asks for. */
export function problemHeaders({ status, code }: Problem): Record<string, string> {
  return {
    'Content-Type': `${PROBLEM_MEDIA_TYPE}; charset=utf-8`,
    'Cache-Control': 'no-store',
    ...(status === 401 && {
      'WWW-Authenticate': code === 'token_invalid' ? 'Bearer error="invalid_token"' : 'Bearer',
    }),
  };
}
