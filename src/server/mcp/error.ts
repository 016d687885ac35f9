import type { ToolError } from '#core/contract/mcp/tool-answers.ts';
import { loggedProblem } from '../http/response/problem.ts';
import type { Served } from './served.ts';

/** A refusal as an agent reads it, in the words of the API; anything but a `DomainError` is logged and shows nothing of itself. */
export function errorOf(error: unknown, served: Served): ToolError {
  const { code, detail, hint = null, errors } = loggedProblem(error, served);
  return { code, message: detail, hint, ...(errors && { errors }) };
}
