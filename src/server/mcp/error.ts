import type { ToolError } from '#core/contract/tool-answers.ts';
import { DomainError } from '#core/domain/errors.ts';
import { problemOf } from '../http/problem.ts';
import type { Served } from './served.ts';

/** A refusal as an agent reads it, in the words of the API; anything but a `DomainError` is logged and shows nothing of itself. */
export function errorOf(error: unknown, { ctx, requestId }: Served): ToolError {
  const { baseUrl } = ctx.config;
  const { code, detail, hint = null, status, errors } = problemOf(error, { baseUrl, requestId });
  if (status >= 500 && !(error instanceof DomainError)) {
    ctx.logger.error('request_failed', error, { request: requestId });
  }
  return { code, message: detail, hint, ...(errors && { errors }) };
}
