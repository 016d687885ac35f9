import { expect, test } from 'vitest';
import { terminalOutput } from '#agent/terminal.ts';

/** A terminal that records its output. */
function aTerminal() {
  let written = '';
  const stream = { isTTY: true, columns: 40, write: (text: string) => ((written += text), true) };
  return { stream: stream as unknown as NodeJS.WriteStream, written: () => written };
}

test('without a terminal, only news is printed', () => {
  const { stream, written } = aTerminal();
  stream.isTTY = false;
  const { progress } = terminalOutput({ stdout: stream, stderr: stream }, {});

  progress('1 of 9');
  progress('trying again', true);

  expect(written()).toBe('trying again\n');
});

test('progress cannot contain control characters', () => {
  const { stream, written } = aTerminal();

  terminalOutput({ stdout: stream, stderr: stream }, {}).progress('a\u001B]0;evil\u0007\nb');

  expect(written()).toBe('\r\u001B[2Ka]0;evilb');
});
