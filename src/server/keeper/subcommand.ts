import type { Command } from './command.ts';
import { UsageError } from './usage-error.ts';

type Actions = Readonly<Record<string, Command['run']>>;

/** Does what the first word says, with the words after it. */
export function byFirstWord(usage: string, actions: Actions): Command['run'] {
  return ([name = '', ...args], output) => {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) throw new UsageError(usage);
    return action(args, output);
  };
}
