import { parseArgs } from 'node:util';
import { readBoardUrl } from './board-url.ts';
import type { Device } from './device.ts';
import { EXIT, type ExitCode, Failure } from './failure.ts';

/** Where a command's words go: results to stdout, messages to stderr. */
export interface Output {
  result(text: string): void;
  note(text: string): void;
  /** Says how far it is, in a line that the next one replaces; on a terminal only. */
  progress(text: string): void;
  /** Takes the line of {@linkcode progress} away. */
  done(): void;
  /** The text in bold where results go to a terminal that wants it. */
  strong(text: string): string;
}

/** What one word after `opbench` does, and what it needs for that. */
export interface Command<Needs = Device> {
  help: string;
  run(device: Needs, args: string[], output: Output): Promise<ExitCode>;
}

const OPTIONS = {
  board: { type: 'string' },
  days: { type: 'string' },
  'dry-run': { type: 'boolean' },
  json: { type: 'boolean' },
  label: { type: 'string' },
  limit: { type: 'string' },
  local: { type: 'boolean' },
  metric: { type: 'string' },
  model: { type: 'string' },
  provider: { type: 'string' },
  tool: { type: 'string' },
  undo: { type: 'boolean' },
  window: { type: 'string' },
  yes: { type: 'boolean' },
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
      const { board, ...texts } = values as Partial<Record<keyof typeof OPTIONS, string>>;
      return {
        ...texts,
        board: board === undefined ? undefined : readBoardUrl(board),
        json: values['json'] === true,
        local: values['local'] === true,
        undo: values['undo'] === true,
        yes: values['yes'] === true,
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
