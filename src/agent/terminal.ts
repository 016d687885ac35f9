/** What a command writes to: the two streams of a process, of which either may be a terminal. */
import { plain } from '#core/domain/text/terminal-text.ts';
import type { Output } from './command.ts';
import { asTyped } from './kept/copy.ts';
import type { Environment } from './settings.ts';
import { wrapped } from './text/table.ts';

/** Goes to the beginning of the line and clears it. */
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
): Output {
  let isPassing = false;
  const clear = () => {
    if (isPassing) stderr.write(CLEAR_LINE);
    isPassing = false;
  };
  const isPlain = Boolean(environment.NO_COLOR) || !stdout.isTTY || environment.TERM === 'dumb';
  return {
    result(text) {
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
