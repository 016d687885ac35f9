/**
 * Problem details: what a client sees of each refusal.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9457 | RFC 9457}
 * @module
 */
import * as z from 'zod';
import { object } from '../schema/object.ts';
import type { ErrorCode } from '../domain/text/errors.ts';
import { PROBLEMS } from './problems.ts';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

export const Problem = object('Problem', {
  type: z.url().describe('A page that explains the problem.'),
  title: z.string().describe('The kind of problem, for a person.'),
  status: z.int().describe('The HTTP status of the answer.'),
  detail: z.string().describe('This occurrence, for a person.'),
  code: z
    .enum(Object.keys(PROBLEMS) as [ErrorCode, ...ErrorCode[]])
    .describe('The kind of problem, for a program.'),
  hint: z.string().optional().describe('What the caller can do; absent where nothing helps.'),
  instance: z.string().describe('The request, as the server log names it.'),
  errors: z
    .array(
      z.strictObject({
        pointer: z.string().describe('The place in the input, a JSON Pointer (RFC 6901).'),
        code: z.string().describe('The kind of fault, for a program.'),
        detail: z.string().describe('What may stand there.'),
      }),
    )
    .optional()
    .describe('Each fault of the input, where it was checked against a schema.'),
});
export type Problem = z.infer<typeof Problem>;
