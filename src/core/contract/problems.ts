/** Every error code with status, title and hint, for responses, pages and documents. */
import type { ErrorCode } from '../domain/text/errors.ts';
import problems from '../domain/text/problems.json' with { type: 'json' };

interface ProblemKind {
  status: number;
  /** The same for every occurrence. */
  title: string;
  /** What the caller can do; null if nothing helps. */
  hint: string | null;
}

/** The type requires an entry for every code. */
export const PROBLEMS: Readonly<Record<ErrorCode, ProblemKind>> = problems;
