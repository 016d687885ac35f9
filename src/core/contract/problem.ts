/**
 * Problem details: how clients see errors.
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
  type: z.url().describe('The URL of a page that explains the problem.'),
  title: z.string().describe('The kind of problem, for a person.'),
  status: z.int().describe('The HTTP status of the answer.'),
  detail: z.string().describe('What happened this time, for a person.'),
  code: z
    .enum(Object.keys(PROBLEMS) as [ErrorCode, ...ErrorCode[]])
    .describe('The kind of problem, for a program.'),
  hint: z.string().optional().describe('What the caller can do; absent if nothing helps.'),
  instance: z.string().describe('The request ID, as in the server log.'),
  errors: z
    .array(
      z.strictObject({
        pointer: z.string().describe('The place in the input as a JSON Pointer (RFC 6901).'),
        code: z.string().describe('The kind of fault, for a program.'),
        detail: z.string().describe('What is expected there.'),
      }),
    )
    .optional()
    .describe('Every fault in the input, if it was checked against a schema.'),
});
export type Problem = z.infer<typeof Problem>;
