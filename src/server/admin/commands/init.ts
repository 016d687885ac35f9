import { UsageError } from '#core/cli/arguments.ts';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from '#db/engine/make-folder.ts';
import { BOARD_FILE, STYLE_FILE } from '#server/config/board-folder.ts';
import { unwritable } from '#server/process/storage-fault.ts';
import { boardTemplate, styleTemplate } from './board-template.ts';
import { EXIT, command } from '../command.ts';

export const init = command({
  help: `opbench-board init: create files for the board's name, colors and rules

Usage: opbench-board init DIR [--json]

  DIR     the folder for board.toml and board.css; created if missing
  --json  print JSON

Every setting in the files is commented out and shows its default. init does not
overwrite existing files. Set BOARD_DIR to the folder and restart the server.

Example: opbench-board init /srv/my-board
`,
  json: `opbench-board init --json prints one object:

  files  array of the paths of both files
`,
  word: 'DIR',
  keepsUser: true,
  run({ word }, output) {
    const folder = resolve(word);
    const files = [
      { path: join(folder, BOARD_FILE), content: boardTemplate() },
      { path: join(folder, STYLE_FILE), content: styleTemplate() },
    ];
    const existing = files.filter(({ path }) => existsSync(path)).map(({ path }) => path);
    if (existing.length > 0) {
      const verb = existing.length === 1 ? 'exists' : 'exist';
      throw new UsageError(`${existing.join(' and ')} already ${verb}. Choose another folder`);
    }
    write(folder, files);
    const paths = files.map(({ path }) => path);
    output.result({ files: paths }, paths.join('\n'));
    output.note(
      'Every setting is commented out and shows its default. Edit the files, then set ' +
        `BOARD_DIR and restart the server:\n  BOARD_DIR=${folder}`,
    );
    return EXIT.ok;
  },
});

/** @throws {UnwritableError} if the folder or a file in it cannot be created. */
function write(folder: string, files: readonly { path: string; content: string }[]): void {
  try {
    makeFolder(folder);
    files.forEach(({ path, content }) => writeFileSync(path, content, { flag: 'wx' }));
  } catch (error) {
    throw unwritable(folder, error);
  }
}
