import { UsageError } from '#core/cli/arguments.ts';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from '#db/engine/make-folder.ts';
import { BOARD_FILE, STYLE_FILE } from '#server/config/board-folder.ts';
import { unwritable } from '#server/process/storage-fault.ts';
import { boardTemplate, styleTemplate } from './board-template.ts';
import { EXIT, command } from '../command.ts';

export const init = command({
  help: `opbench-board init DIR [--json]: writes board.toml and board.css, with which you
make a board your own, into a folder. All in them is commented out. Nothing that
is there is overwritten.

Example: opbench-board init /srv/my-board

--json prints {"files"}, the paths of both.
`,
  word: 'DIR',
  run({ word }, output) {
    const folder = resolve(word);
    const files = [
      { path: join(folder, BOARD_FILE), content: boardTemplate() },
      { path: join(folder, STYLE_FILE), content: styleTemplate() },
    ];
    const there = files.filter(({ path }) => existsSync(path)).map(({ path }) => path);
    if (there.length > 0) {
      throw new UsageError(`left as it is, and nothing written: ${there.join(' and ')}`);
    }
    write(folder, files);
    const paths = files.map(({ path }) => path);
    output.result({ files: paths }, paths.join('\n'));
    output.note(
      'All in them is commented out, so that nothing changes before you change it. ' +
        `Then start the board with\n  BOARD_DIR=${folder} npm start`,
    );
    return EXIT.ok;
  },
});

/** @throws {UnwritableError} if the folder or a file in it cannot be made. */
function write(folder: string, files: readonly { path: string; content: string }[]): void {
  try {
    makeFolder(folder);
    files.forEach(({ path, content }) => writeFileSync(path, content, { flag: 'wx' }));
  } catch (error) {
    throw unwritable(folder, error);
  }
}
