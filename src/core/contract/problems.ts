/** Every kind of refusal, as a client sees it: one table for answers, pages and documents. */
import type { ErrorCode } from '../domain/text/errors.ts';
import problems from '../domain/text/problems.json' with { type: 'json' };

interface ProblemKind {
  status: number;
  /** The same for every occurrence. */
  title: string;
  /** What the caller can do; null where nothing helps. */
  hint: string | null;
}

/** A code without an entry does not compile. */
export const PROBLEMS: Readonly<Record<ErrorCode, ProblemKind>> = problems;
