import { expect, test } from 'vitest';
import { terminalOutput } from '#agent/terminal.ts';

/** A terminal that keeps what is written to it. */
function aTerminal() {
  let written = '';
  const stream = { isTTY: true, columns: 40, write: (text: string) => ((written += text), true) };
  return { stream: stream as unknown as NodeJS.WriteStream, written: () => written };
}

test('progress cannot steer the terminal, whoever wrote it', () => {
  const { stream, written } = aTerminal();

  terminalOutput({ stdout: stream, stderr: stream }, {}).progress('a\u001B]0;evil\u0007\nb');

  expect(written()).toBe('\r\u001B[2Ka]0;evilb');
});
