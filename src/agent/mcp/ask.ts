import { createInterface } from 'node:readline';

/** Where a person may answer. */
export interface Dialogue {
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
  // The terminal edits the line, and ctrl-C ends the command as it does elsewhere.
  const lines = createInterface({ input, output, terminal: false });
  const answer = await new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''));
    lines.question(question, resolve);
  });
  lines.close();
  return answer.trim();
}
