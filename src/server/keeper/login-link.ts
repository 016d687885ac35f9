import { createLoginLink } from '../commands/create-login-link.ts';
import { readArguments } from './arguments.ts';
import { withStore } from './store.ts';

/** Prints a one-time sign-in URL, and nothing else, on stdout. */
export function loginLink(args: string[]): void {
  const options = { new: { type: 'boolean' } } as const;
  const usage = 'login-link takes one CODENAME and --new';
  const { values, positionals } = readArguments(args, { options, words: 1, usage });
  const [codename = ''] = positionals;
  const { new: create = false } = values;
  withStore(
    (store, board) => {
      const url = createLoginLink(store, { codename, create, ...board });
      process.stdout.write(`${url}\n`);
    },
    { isNew: create },
  );
}
