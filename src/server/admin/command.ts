/** What one word after `opbench-board` does, and where its words go. */
import { plainJson, plainLines } from '#core/domain/text/terminal-text.ts';

/** Why the command ends, as its exit code tells scripts. */
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

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export interface Output {
  /** Whether `--json` was given. */
  readonly isJson: boolean;
  /** The answer, on stdout: `text` for people, `data` as one line of JSON with `--json`. */
  result(data: object, text: string): void;
  /** What is said besides, on stderr. */
  note(text: string): void;
}

export interface Command {
  /** What `--help` says: how it is written, what it does, an example, its JSON. */
  help: string;
  /** @param args Without the command's own name and `--json`. */
  run(args: string[], output: Output): ExitCode | Promise<ExitCode>;
}

type Streams = Readonly<Record<'stderr' | 'stdout', Pick<NodeJS.WriteStream, 'write'>>>;

/** Writes to the streams of a process; nothing that anybody else wrote can steer the terminal behind them. */
export function outputTo({ stdout, stderr }: Streams, isJson: boolean): Output {
  const lines = (text: string) =>
    plainLines(text === '' || text.endsWith('\n') ? text : `${text}\n`);
  return {
    isJson,
    result: (data, text) => void stdout.write(isJson ? `${plainJson(data)}\n` : lines(text)),
    note: (text) => void stderr.write(lines(text)),
  };
}
