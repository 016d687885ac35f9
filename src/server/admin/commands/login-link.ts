import { LINK_TTL_MS, createLoginLink } from '#server/identity/sign-in/create-login-link.ts';
import { readArguments } from '../arguments.ts';
import { type Command, EXIT } from '../command.ts';
import { withStore } from '../store.ts';

export const loginLink: Command = {
  help: `opbench-board login-link [--new] CODENAME [--json]: prints a URL that signs an
operator in once, within 15 minutes, and nothing else on stdout. The operator
sees in the settings that it was made. --new makes the operator first, and the
board, too, if there is none yet. Without it CODENAME is the operator's own, not
the name that others see of who is anonymous.

Example: opbench-board login-link --new ada

--json prints {"url", "codename", "expires_at"}.
`,
  run(args, output) {
    const options = { new: { type: 'boolean' } } as const;
    const takes = { command: 'login-link', word: 'CODENAME', options };
    const { values, word: codename } = readArguments(args, takes);
    const { new: create = false } = values;
    withStore(
      (store, board) => {
        const url = createLoginLink(store, { codename, create, ...board });
        const expires_at = new Date(board.now.getTime() + LINK_TTL_MS).toISOString();
        output.result({ url, codename, expires_at }, url);
      },
      { isNew: create },
    );
    return EXIT.ok;
  },
};
