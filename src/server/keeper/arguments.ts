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
  const parsed = attempt(() => parseArgs({ args, options, allowPositionals: true, strict: true }));
  if (parsed?.positionals.length !== words) throw new UsageError(usage);
  return parsed;
}

function attempt<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch {
    return null;
  }
}
