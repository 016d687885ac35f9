import { type Command, readArguments } from '../command.ts';
import { identitiesOf } from '../device.ts';
import { EXIT } from '../failure.ts';
import { plain, standingText } from '../print.ts';

export const status: Command = {
  help: `opbench status [--board URL] [--json]: this device and where you stand, as the
board last published it.

Example: opbench status
`,
  async run(device, args, output) {
    const { board, json } = readArguments(args, { options: ['board', 'json'] });
    const found = [];
    for (const identity of identitiesOf(device, board)) {
      const me = await device.client.me(identity);
      found.push({ board: identity.board, ...me });
      if (json) continue;
      const last = me.device?.last_submission_at ?? 'never';
      output.result(`${plain(me.codename)} on ${identity.board}, last submission: ${last}`);
      output.result(standingText(me));
    }
    if (json) output.result(JSON.stringify({ boards: found }));
    return EXIT.ok;
  },
};
