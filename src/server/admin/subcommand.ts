import { nearestName } from '#core/domain/text/nearest-name.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import type { Command } from './command.ts';
import { UsageError } from './usage-error.ts';

type Actions = Readonly<Record<string, Command['run']>>;

/** Does what the first word after a command says, with the words after that. */
export function byFirstWord(command: string, actions: Actions): Command['run'] {
  return ([name = '', ...args], output) => {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) throw new UsageError(refusal(command, name, Object.keys(actions)));
    return action(args, output);
  };
}

function refusal(command: string, name: string, names: readonly string[]): string {
  const list = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  if (name === '') return `${command} takes ${list}`;
  const near = nearestName(name, names);
  const meant = near === null ? `It takes ${list}` : `Did you mean "${near}"?`;
  return `${command} does not take "${plain(name)}". ${meant}`;
}
