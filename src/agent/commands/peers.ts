import { wholeNumber } from '#core/cli/arguments.ts';
import { SHORT_LIMIT } from '#core/contract/peers.ts';
import { readBoardUrl } from '../board/address.ts';
import { atEachBoard } from '../board/each-board.ts';
import { command } from '../command.ts';
import { identitiesOf } from '../device.ts';
import { discoverPeers } from '../loop/peers.ts';
import type { BoardFailure, DiscoveredPeers } from '../reports.ts';
import { failureLines } from '../text/failure.ts';
import { peersText } from '../text/peers.ts';

export const peers = command({
  help: `opbench peers [--board URL] [--limit 5] [--json]: whom you can be compared with,
over 90 days: mentors one or two classes above, your own class, and who is
strong where you are weak, each with where the difference in yield comes from.

Example: opbench peers --limit 3

--json prints {"boards": [{"board", "untrusted", ...answer}], "failures":
[{"board", "exit", "code", "message", "hint"}]}; an answer is that of GET
/api/v1/peers, "untrusted" the members whose text other people wrote,
"counts_from" when the board includes what this device sent last, null if it
does.
`,
  options: { board: readBoardUrl, limit: wholeNumber(1, SHORT_LIMIT.max) },
  async run({ values: { board, limit = null } }, output, device) {
    const boards: (DiscoveredPeers & { board: string })[] = [];
    const tell = (failure: BoardFailure) => failureLines(failure).forEach(output.note);
    const found = identitiesOf(device, board);
    const { failures, exitCode } = await atEachBoard(found, tell, async (identity) => {
      const answer = await discoverPeers(device, identity, limit);
      boards.push({ board: identity.board, ...answer });
      if (boards.length > 1) output.part('');
      output.part(peersText(answer, identity.board));
    });
    output.result({ boards, failures });
    return exitCode;
  },
});
