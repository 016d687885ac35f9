import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from '#db/engine/make-folder.ts';
import { BOARD_FILE, STYLE_FILE } from '#server/config/board-folder.ts';
import { unwritable } from '#server/process/unwritable.ts';
import { readArguments } from '../arguments.ts';
import { boardTemplate } from './board-template.ts';
import { type Command, EXIT } from '../command.ts';
import { styleTemplate } from './style-template.ts';
import { UsageError } from '../usage-error.ts';

export const init: Command = {
  help: `opbench-board init DIR [--json]: writes board.toml and board.css, with which you
make a board your own, into a folder. All in them is commented out. Nothing that
is there is overwritten.

Example: opbench-board init /srv/my-board

--json prints {"files"}, the paths of both.
`,
  run(args, output) {
    const folder = resolve(readArguments(args, { command: 'init', word: 'DIR' }).word);
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
};

/** @throws {UnwritableError} if the folder or a file in it cannot be made. */
function write(folder: string, files: readonly { path: string; content: string }[]): void {
  try {
    makeFolder(folder);
    files.forEach(({ path, content }) => writeFileSync(path, content, { flag: 'wx' }));
  } catch (error) {
    throw unwritable(folder, error);
  }
}
