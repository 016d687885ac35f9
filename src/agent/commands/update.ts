import { plain } from '#core/domain/text/terminal-text.ts';
import { readBoardUrl } from '../board/address.ts';
import { command } from '../command.ts';
import type { LocalDevice } from '../device.ts';
import { EXIT } from '../failure.ts';
import { type Update, update as updateFrom } from '../loop/update.ts';
import { failureLines } from '../text/failure.ts';
import { HOME_BOARD } from '../version.ts';

export const update = command({
  help: `opbench update [--board URL] [--yes] [--json]: replace the copy of opbench that
"auto" and "mcp install" run by the one that a board serves: the board given,
else the one that this copy came from, else the first where this device is
enrolled that answers. The copy is replaced only if its sha512 is the one that
the board states and it runs here. Never runs by itself. --yes also takes an
older version.

Example: opbench update

--json prints {"board", "file", "from", "to", "integrity", "updated"}; "from" is
null if there was no copy.
`,
  options: { board: readBoardUrl, yes: 'flag' },
  async run({ values: { board, yes } }, output, device) {
    const done = await updateFrom(device, board === undefined ? knownBoards(device) : [board], {
      allowOlder: yes,
      tell: (failure) => failureLines(failure).forEach(output.note),
    });
    output.result(done, updateText(done));
    return EXIT.ok;
  },
});

function knownBoards({ keystore }: LocalDevice): string[] {
  const enrolled = keystore.identities().sound.map(({ board }) => board);
  return [...new Set([...(HOME_BOARD === null ? [] : [HOME_BOARD]), ...enrolled])];
}

function updateText({ board, file, from, to, updated }: Update): string {
  if (!updated) return `opbench ${to} is what ${board} serves. Nothing to do.`;
  const isOther = from !== null && from !== to;
  const what = isOther ? `opbench ${to} in place of ${from}` : `opbench ${to}`;
  return `${plain(file)} is now ${what}, from ${board}`;
}
