import type { MeAnswer } from '../answers.ts';
import { atEachBoard } from '../boards.ts';
import { type Command, readArguments } from '../command.ts';
import { identitiesOf } from '../device.ts';
import { plain, plainJson } from '../text/plain.ts';
import { standingText } from '../text/standing.ts';

export const status: Command = {
  help: `opbench status [--board URL] [--json]: this device and where you stand, as the
board last published it.

Example: opbench status

--json prints {"boards": [{"board", ...answer}], "failures": [{"board", "exit",
"code", "message"}]}.
`,
  async run(device, args, output) {
    const { board, json } = readArguments(args, { options: ['board', 'json'] });
    const boards: MeAnswer[] = [];
    const found = identitiesOf(device, board);
    const { failures, exitCode } = await atEachBoard(found, output, async (identity) => {
      const me = await device.client.me(identity);
      boards.push({ ...me, board: identity.board });
      if (json) return;
      const last = plain(me.device?.last_submission_at ?? 'never');
      output.result(`${plain(me.codename)} on ${identity.board}, last submission: ${last}`);
      output.result(standingText(me));
    });
    if (json) output.result(plainJson({ boards, failures }));
    return exitCode;
  },
};
