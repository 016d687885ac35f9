import { createInterface } from 'node:readline';

/** Where a person may answer. */
export interface Dialogue {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream & { isTTY?: boolean };
}

/** Whether a person says yes; null where there is nobody to ask. */
export async function confirm(
  question: string,
  { input, output }: Dialogue = { input: process.stdin, output: process.stderr },
): Promise<boolean | null> {
  if (!input.isTTY || !output.isTTY) return null;
  // The terminal edits the line, and ctrl-C ends the command as it does elsewhere.
  const lines = createInterface({ input, output, terminal: false });
  const answer = await new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''));
    lines.question(`${question} [y/N] `, resolve);
  });
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}
