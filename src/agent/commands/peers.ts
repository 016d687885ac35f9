import { SHORT_LIMIT } from '#core/contract/peers.ts';
import { plainJson } from '#core/domain/text/terminal-text.ts';
import { atEachBoard } from '../board/each-board.ts';
import { type Command, readArguments } from '../command.ts';
import { identitiesOf } from '../device.ts';
import { readLimit } from '../numbers.ts';
import { discoverPeers } from '../loop/peers.ts';
import type { BoardFailure, DiscoveredPeers } from '../reports.ts';
import { failureLines } from '../text/failure.ts';
import { peersText } from '../text/peers.ts';

export const peers: Command = {
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
  async run(device, args, output) {
    const given = readArguments(args, { command: 'peers', options: ['board', 'limit', 'json'] });
    const limit = given.limit === undefined ? null : readLimit(given.limit, SHORT_LIMIT.max);
    const boards: (DiscoveredPeers & { board: string })[] = [];
    const tell = (failure: BoardFailure) => failureLines(failure).forEach(output.note);
    const found = identitiesOf(device, given.board);
    const { failures, exitCode } = await atEachBoard(found, tell, async (identity) => {
      const answer = await discoverPeers(device, identity, limit);
      boards.push({ board: identity.board, ...answer });
      if (!given.json && boards.length > 1) output.result('');
      if (!given.json) output.result(peersText(answer, identity.board));
    });
    if (given.json) output.result(plainJson({ boards, failures }));
    return exitCode;
  },
};
