import { plain } from '#core/domain/text/terminal-text.ts';
import { readBoardUrl } from '../board/address.ts';
import { command } from '../command.ts';
import type { LocalDevice } from '../device.ts';
import { EXIT } from '../failure.ts';
import { type Update, update as updateFrom } from '../loop/update.ts';
import { failureLines } from '../text/failure.ts';
import { HOME_BOARD } from '../version.ts';

export const update = command({
  help: `opbench update: replace the saved copy of opbench with a board's version

Usage: opbench update [--board URL] [--yes] [--json]

  --board URL  download from this board; default: the one that this opbench came
               from, then the boards you are enrolled on
  --yes        also install an older version
  --json       print JSON

Your timer and AI assistants run the saved copy. It is replaced only if the
download matches the SHA-512 that the board publishes and runs on this
machine. opbench never updates itself.

Example: opbench update
`,
  json: `opbench update --json prints one object:

  board, file
  from, to   versions before and after; "from" is null if there was no copy
  integrity  SHA-512 of the new file
  updated    false if the file was up to date
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
  if (!updated) return `Up to date: ${board} serves opbench ${to}, which you have.`;
  const isOther = from !== null && from !== to;
  const what = isOther ? `opbench ${to} (was ${from})` : `opbench ${to}`;
  return `${plain(file)} is now ${what}, from ${board}`;
}
