/** The output of a command: stdout and stderr, each of which may be a terminal. */
import { plain } from '#core/domain/text/terminal-text.ts';
import { asTyped } from './state/copy.ts';
import type { Screen } from './command.ts';
import type { Environment } from './settings.ts';
import { wrapped } from './text/table.ts';

const CLEAR_LINE = '\r\u001B[2K';

interface Streams {
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

/**
 * Progress and bold text are for terminals only, and bold text not if NO_COLOR is set.
 *
 * @param file The running program, so that notes show commands as they must be typed.
 */
export function terminalOutput(
  { stdout, stderr }: Streams,
  environment: Environment,
  file = '',
): Screen {
  let isPassing = false;
  const clear = () => {
    if (isPassing) stderr.write(CLEAR_LINE);
    isPassing = false;
  };
  const isPlain = Boolean(environment.NO_COLOR) || !stdout.isTTY || environment.TERM === 'dumb';
  return {
    print(text) {
      clear();
      stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    },
    note(text) {
      clear();
      const lines = asTyped({ environment, file }, text).split('\n');
      stderr.write(`${lines.map((line) => wrapped(line, 0)).join('\n')}\n`);
    },
    progress(text, isNews = false) {
      if (!stderr.isTTY || environment.TERM === 'dumb') {
        if (isNews) stderr.write(`${wrapped(plain(text), 0)}\n`);
        return;
      }
      stderr.write(CLEAR_LINE + plain(text).slice(0, stderr.columns - 1));
      isPassing = true;
    },
    done: clear,
    strong: (text) => (isPlain ? text : `\u001B[1m${text}\u001B[22m`),
  };
}

interface Dialogue {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream & { isTTY?: boolean };
}

/** Asks a yes-or-no question. Returns null without a terminal. */
export async function confirm(question: string, dialogue?: Dialogue): Promise<boolean | null> {
  const answer = await askLine(`${question} [y/N] `, dialogue);
  return answer === null ? null : /^y(es)?$/i.test(answer);
}

/** Asks a question and returns the trimmed reply, or null without a terminal. */
export async function askLine(
  question: string,
  { input, output }: Dialogue = { input: process.stdin, output: process.stderr },
): Promise<string | null> {
  if (!input.isTTY || !output.isTTY) return null;
  const { createInterface } = await import('node:readline');
  // The terminal itself edits the line, so Ctrl+C ends the command as usual.
  const lines = createInterface({ input, output, terminal: false });
  const answer = await new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''));
    lines.question(question, resolve);
  });
  lines.close();
  return answer.trim();
}
