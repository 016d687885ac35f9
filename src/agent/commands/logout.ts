import { type Command, readArguments } from '../command.ts';
import { identitiesOf } from '../device.ts';
import { EXIT } from '../failure.ts';

export const logout: Command = {
  help: `opbench logout [--board URL] [--local] [--json]: revoke this device's key at the
board and erase it here. What was sent stays on the board. --local erases the key
even if the board cannot be reached; then revoke the device in the board's settings.

Example: opbench logout --board https://bench.example.org
`,
  async run(device, args, output) {
    const { board, json, local } = readArguments(args, { options: ['board', 'local', 'json'] });
    const identities = identitiesOf(device, board);
    for (const identity of identities) {
      if (!local) await device.client.revoke(identity);
      device.keystore.erase(identity.board);
      if (!json) output.result(`Logged out of ${identity.board}`);
    }
    const boards = identities.map((identity) => identity.board);
    if (json) output.result(JSON.stringify({ logged_out: boards }));
    return EXIT.ok;
  },
};
