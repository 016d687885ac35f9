/** What a command of `opbench-board` is, its exit codes, and where its output goes. */
import { type Options, wholeNumber } from '#core/cli/arguments.ts';
import type { Action, Answers, Command as AnyCommand, Terminal } from '#core/cli/program.ts';
import { plainLines } from '#core/domain/text/terminal-text.ts';
import type { ServedSettings } from '../running-server.ts';

export const EXIT = {
  ok: 0,
  /** The arguments or the settings are invalid. */
  usage: 1,
  /** The disk or the database cannot be read or written. */
  storage: 2,
  /** The request was rejected, or a check found a problem. */
  refused: 3,
  /** A bug in the program; it prints a stack trace. */
  fault: 4,
} as const;

export type AdminExitCode = (typeof EXIT)[keyof typeof EXIT];
export type AdminOutput = Answers & Terminal;
export type Command = AnyCommand<ServedSettings> & {
  /** Whether root remains root, because the command works on other files than the board's. */
  keepsUser?: true;
};
type AdminAction<Taken extends Options = Options> = Action<ServedSettings, Terminal, Taken>;

/** The texts of `--help` and of `--help --json`. */
export interface HelpTexts {
  help: string;
  json?: string;
}

export function command<const Taken extends Options>(
  definition: HelpTexts & AdminAction<Taken> & Pick<Command, 'keepsUser'>,
): Command {
  return definition;
}

/** A subcommand. */
export function action<const Taken extends Options>(
  definition: HelpTexts & AdminAction<Taken>,
): AdminAction & HelpTexts {
  return definition;
}

type Streams = Readonly<Record<'stderr' | 'stdout', Pick<NodeJS.WriteStream, 'write'>>>;

/** Writes to the streams of a process, without control characters that could steer a terminal. */
export function terminalOf({ stdout, stderr }: Streams): Terminal {
  const lines = (text: string) =>
    plainLines(text === '' || text.endsWith('\n') ? text : `${text}\n`);
  return {
    print: (text) => void stdout.write(lines(text)),
    note: (text) => void stderr.write(lines(text)),
  };
}

/** The option `--limit`: the highest number of rows to print. */
export const LIMIT = wholeNumber(1, 10_000);

export function tableOf(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map(({ length }) => length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ');
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('');
}
