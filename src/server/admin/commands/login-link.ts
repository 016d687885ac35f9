import { LINK_TTL_MS, createLoginLink } from '#server/identity/sign-in/login-link.ts';
import { EXIT, command } from '../command.ts';
import { withStore } from '../store.ts';

export const loginLink = command({
  help: `opbench-board login-link [--new] CODENAME [--json]: prints a URL that signs an
operator in once, within 15 minutes, and nothing else on stdout. The operator
sees in the settings that it was made. --new makes the operator first, and the
board, too, if there is none yet. Without it CODENAME is the operator's own, not
the name that others see of who is anonymous.

Example: opbench-board login-link --new ada

--json prints {"url", "codename", "expires_at"}.
`,
  options: { new: 'flag' },
  word: 'CODENAME',
  run({ values: { new: create }, word: codename }, output) {
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
});
