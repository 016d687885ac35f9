import { parseArgs } from 'node:util';
import { readBoardUrl } from './board-url.ts';
import type { Device } from './device.ts';
import { EXIT, type ExitCode, Failure } from './failure.ts';

/** Where a command's words go: results to stdout, messages to stderr. */
export interface Output {
  result(text: string): void;
  note(text: string): void;
}

/** One word after `opbench`. */
export interface Command {
  help: string;
  run(device: Device, args: string[], output: Output): Promise<ExitCode>;
}

const OPTIONS = {
  board: { type: 'string' },
  days: { type: 'string' },
  'dry-run': { type: 'boolean' },
  json: { type: 'boolean' },
  label: { type: 'string' },
  local: { type: 'boolean' },
} as const;

/**
 * Reads a command's arguments.
 *
 * @throws {Failure} `usage` for an option that it does not take, or too many words.
 */
export function readArguments(
  args: string[],
  takes: { options: readonly (keyof typeof OPTIONS)[]; words?: number },
) {
  const options = Object.fromEntries(takes.options.map((name) => [name, OPTIONS[name]]));
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    if (positionals.length <= (takes.words ?? 0)) {
      const { board, days, label } = values as Record<string, string | undefined>;
      return {
        board: board === undefined ? undefined : readBoardUrl(board),
        days,
        label,
        json: values['json'] === true,
        local: values['local'] === true,
        dryRun: values['dry-run'] === true,
        words: positionals,
      };
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(EXIT.usage, (error as Error).message);
  }
  throw new Failure(EXIT.usage, `Too many words: ${args.join(' ')}`);
}
