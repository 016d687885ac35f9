import type { Role } from '#core/schema/account.ts';
import { setRole } from '#server/operator/set-role.ts';
import { oneOf } from '#core/cli/arguments.ts';
import { type Command, EXIT, action, tableOf } from '../command.ts';
import { withStore } from '../store.ts';

const GIVEN_ROLES = ['admin', 'moderator'] as const satisfies readonly Role[];
const ADD_OPTIONS = { role: oneOf(GIVEN_ROLES) };
const HEAD = ['CODENAME', 'ROLE'];

const RESULT = `  codename      the operator
  role          admin, moderator or operator
  earlier_role  the role before
`;

const add = action({
  help: `opbench-board admin add: make an operator an admin or a moderator

Usage: opbench-board admin add NAME [--role moderator] [--json]

  NAME         the operator; for an anonymous operator, also the public name
  --role ROLE  admin or moderator; default: admin
  --json       print JSON

Admins can do everything on the admin pages (/admin). Moderators decide about
submissions, and hide operators. They do not see keys and settings, and cannot
change accounts of moderators and admins.

The role applies immediately. The operator sees it in the settings.

Example: opbench-board admin add ada --role moderator
`,
  json: `opbench-board admin add --json prints one object:

${RESULT}`,
  options: ADD_OPTIONS,
  word: 'NAME',
  run({ word: name, values: { role = 'admin' } }, output, settings) {
    withStore(settings, (store) => {
      const { codename, earlier } = setRole({ store, now: () => new Date() }, { name, role });
      output.result({ codename, role, earlier_role: earlier });
      output.note(`${codename} is now ${role === 'admin' ? 'an admin' : 'a moderator'}.`);
    });
    return EXIT.ok;
  },
});

const remove = action({
  help: `opbench-board admin remove: remove an admin or a moderator

Usage: opbench-board admin remove NAME [--json]

  NAME    the admin or moderator
  --json  print JSON

The account stays, as an operator. The last admin of a board cannot be removed:
make another operator an admin first.

Example: opbench-board admin remove ada
`,
  json: `opbench-board admin remove --json prints one object:

${RESULT}`,
  word: 'NAME',
  run({ word: name }, output, settings) {
    withStore(settings, (store) => {
      const role = 'operator';
      const { codename, earlier } = setRole({ store, now: () => new Date() }, { name, role });
      output.result({ codename, role, earlier_role: earlier });
      output.note(
        `${codename} is not ${earlier === 'admin' ? 'an admin' : 'a moderator'} any more.`,
      );
    });
    return EXIT.ok;
  },
});

const list = action({
  help: `opbench-board admin list: list all admins and moderators

Usage: opbench-board admin list [--json]

  --json  print JSON

Example: opbench-board admin list
`,
  json: `opbench-board admin list --json prints one object:

  entries  array of {codename, role}
`,
  run(_, output, settings) {
    withStore(settings, (store) => {
      const entries = store.operators.withRole().map(({ codename, role }) => ({ codename, role }));
      const rows = entries.map(({ codename, role }) => [codename, role]);
      output.result({ entries }, tableOf([HEAD, ...rows]));
      if (entries.length === 0) {
        output.note('There are no admins. Add one: opbench-board admin add NAME');
      }
    });
    return EXIT.ok;
  },
});

export const admin: Command = {
  help: `opbench-board admin: add, remove or list admins and moderators

Admins run the board in the browser, at /admin. Moderators decide about
submissions, and hide operators.

Usage: opbench-board admin add NAME [--role moderator] [--json]
       opbench-board admin remove NAME [--json]
       opbench-board admin list [--json]

  add     make an operator an admin or a moderator
  remove  remove an admin or a moderator
  list    list all admins and moderators

"opbench-board admin add --help" explains the options.

Example: opbench-board admin add ada
`,
  json: `"opbench-board admin add --json" and "opbench-board admin remove --json" print
{"codename", "role", "earlier_role"}. "opbench-board admin list --json" prints
{"entries": [{"codename", "role"}]}.
`,
  actions: { add, remove, list },
};
