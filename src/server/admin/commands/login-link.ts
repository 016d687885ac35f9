import { LINK_TTL_MS, createLoginLink } from '#server/identity/sign-in/login-link.ts';
import { EXIT, command } from '../command.ts';
import { withStore } from '../store.ts';

export const loginLink = command({
  help: `opbench-board login-link: create a one-time sign-in link

Usage: opbench-board login-link [--new] CODENAME [--json]

  CODENAME  the operator's codename, not the public name of an anonymous operator
  --new     create the operator first, and the board if there is none yet
  --json    print JSON

login-link prints only the URL on stdout. It works once, within 15 minutes. The
operator sees in the settings that you created it.

Use --new for the first account of a board, and a link without --new for an
operator who has lost every sign-in method.

Example: opbench-board login-link --new ada
`,
  json: `opbench-board login-link --json prints one object:

  url         the link
  codename    the operator
  expires_at  time when the link expires
`,
  options: { new: 'flag' },
  word: 'CODENAME',
  run({ values: { new: create }, word: codename }, output, settings) {
    withStore(
      settings,
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
