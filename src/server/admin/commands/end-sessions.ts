import { counted } from '#core/cli/findings.ts';
import { endSessions as end } from '#server/identity/end-sessions.ts';
import { EXIT, command } from '../command.ts';
import { withStore } from '../store.ts';

export const endSessions = command({
  help: `opbench-board end-sessions: sign an operator out in all browsers

Usage: opbench-board end-sessions CODENAME [--json]

  CODENAME  the operator; for an anonymous operator, also the public name
  --json    print JSON

This also cancels unused sign-in links. Devices and connected apps keep working.
The operator sees the action in the settings.

Example: opbench-board end-sessions ada
`,
  json: `opbench-board end-sessions --json prints one object:

  codename  the operator
  ended     the number of browsers
`,
  word: 'CODENAME',
  run({ word: name }, output, settings) {
    withStore(settings, (store) => {
      const { codename, ended } = end({ store, now: () => new Date() }, { name });
      output.result({ codename, ended });
      output.note(`${codename} is signed out in ${counted(ended, 'browser')}.`);
    });
    return EXIT.ok;
  },
});
