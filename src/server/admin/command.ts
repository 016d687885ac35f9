/** What a command of `opbench-board` is, why it ends, and where its words go. */
import { type Options, wholeNumber } from '#core/cli/arguments.ts';
import type { Action, Answers, Command, Terminal } from '#core/cli/program.ts';
import { plainLines } from '#core/domain/text/terminal-text.ts';

export type { Command } from '#core/cli/program.ts';

export const EXIT = {
  ok: 0,
  /** The arguments or the configuration cannot be used. */
  usage: 1,
  /** A disk or the database could not be read or written. */
  storage: 2,
  /** It was refused, or something that was looked at is wrong. */
  refused: 3,
  /** The program itself is wrong, and shows where. */
  fault: 4,
} as const;

export type AdminExitCode = (typeof EXIT)[keyof typeof EXIT];
export type AdminOutput = Answers & Terminal;

export function command<const Taken extends Options>(
  definition: { help: string } & Action<unknown, Terminal, Taken>,
): Command {
  return definition;
}

export function action<const Taken extends Options>(
  definition: Action<unknown, Terminal, Taken>,
): Action {
  return definition;
}

type Streams = Readonly<Record<'stderr' | 'stdout', Pick<NodeJS.WriteStream, 'write'>>>;

/** Writes to the streams of a process; nothing that anybody else wrote can steer the terminal behind them. */
export function terminalOf({ stdout, stderr }: Streams): Terminal {
  const lines = (text: string) =>
    plainLines(text === '' || text.endsWith('\n') ? text : `${text}\n`);
  return {
    print: (text) => void stdout.write(lines(text)),
    note: (text) => void stderr.write(lines(text)),
  };
}

/** The option `--limit`: how many rows are printed at most. */
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
