/** Asks before a command changes something outside the state folder, after showing the change. */
import { confirm } from './terminal.ts';
import type { AgentOutput } from './command.ts';
import { EXIT, Failure } from './failure.ts';

/** Prints what will change. With `--json`, stdout is for the report only. */
export function sayer({ isJson, note, part }: AgentOutput): (text: string) => void {
  return isJson ? note : part;
}

/** @throws {Failure} `usage` if the person disagrees or cannot be asked. */
export async function ask(question: string): Promise<void> {
  const agreed = await confirm(question);
  if (agreed) return;
  const message = agreed === null ? 'This needs a terminal to ask you' : 'Nothing was changed';
  throw new Failure(
    EXIT.usage,
    message,
    agreed === null ? 'To run without asking, add --yes.' : null,
  );
}
