import { resolve } from 'node:path';
import { BOARD_FILE, STYLE_FILE } from '#server/config/board-folder.ts';
import { boardTemplate, styleTemplate } from './board-template.ts';
import { EXIT, command } from '../command.ts';
import { writeNewFiles } from '../new-files.ts';

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
    const files = writeNewFiles(word, [
      { name: BOARD_FILE, content: boardTemplate() },
      { name: STYLE_FILE, content: styleTemplate() },
    ]);
    output.result({ files }, files.join('\n'));
    output.note(
      'Every setting is commented out and shows its default. Edit the files, then set ' +
        `BOARD_DIR and restart the server:\n  BOARD_DIR=${resolve(word)}`,
    );
    return EXIT.ok;
  },
});
