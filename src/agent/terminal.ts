/** What a command writes to: the two streams of a process, of which either may be a terminal. */
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
 * Passing words go to a terminal only; emphasis, too, unless NO_COLOR is set.
 *
 * @param file The program that runs, for notes that say what to type.
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

const TERMINAL = { input: process.stdin, output: process.stderr };

/** Whether a person says yes; null where there is nobody to ask. */
export async function confirm(question: string, dialogue?: Dialogue): Promise<boolean | null> {
  const answer = await askLine(`${question} [y/N] `, dialogue);
  return answer === null ? null : /^y(es)?$/i.test(answer);
}

/** What a person types in reply, without spaces around it; null where there is nobody to ask. */
export async function askLine(
  question: string,
  { input, output }: Dialogue = TERMINAL,
): Promise<string | null> {
  if (!input.isTTY || !output.isTTY) return null;
  const { createInterface } = await import('node:readline');
  // The terminal edits the line, and ctrl-C ends the command as it does elsewhere.
  const lines = createInterface({ input, output, terminal: false });
  const answer = await new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''));
    lines.question(question, resolve);
  });
  lines.close();
  return answer.trim();
}
