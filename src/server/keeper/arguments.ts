import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { UsageError } from './usage-error.ts';

/**
 * Reads a command's options, and as many words besides them as it takes.
 *
 * @throws {UsageError} saying `usage` if the arguments are others.
 */
export function readArguments<Options extends ParseArgsOptionsConfig>(
  args: string[],
  { options, words, usage }: { options: Options; words: number; usage: string },
) {
  const joined = joinNegatives(args);
  const parsed = attempt(() =>
    parseArgs({ args: joined, options, allowPositionals: true, strict: true }),
  );
  if (parsed?.positionals.length !== words) throw new UsageError(usage);
  return parsed;
}

/** So many rows are printed at most. */
const MAX_SHOWN = 10_000;

/** @throws {UsageError} if `--limit` was given something else. */
export function readLimit(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MAX_SHOWN) return limit;
  throw new UsageError(`--limit takes a whole number from 1 to ${MAX_SHOWN}`);
}

/** A negative number is a value, which its option then judges, and no option. */
function joinNegatives(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const before = joined.at(-1) ?? '';
    if (/^-\d/.test(arg) && /^--[a-z-]+$/.test(before)) joined[joined.length - 1] += `=${arg}`;
    else joined.push(arg);
  }
  return joined;
}

function attempt<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch {
    return null;
  }
}
