import { dirname } from 'node:path';
import { bytesOf } from '#db/engine/copy.ts';
import { sizeText } from '#core/domain/text/figure.ts';
import { refuseFullDisk } from '#server/backups/backup-file.ts';
import { databasePath } from '#server/config/config.ts';
import { readServedConfig } from '#server/running-server.ts';
import { EXIT, command } from '../command.ts';
import { refuseNoBoard, withStore } from '../store.ts';

export const compact = command({
  help: `opbench-board compact: return unused space in the database to the disk

Usage: opbench-board compact [--json]

  --json  print JSON

Space that becomes free in the database is used again, but the file does not get
smaller. compact rewrites the file without it. This takes about a second for
200 MB, and needs as much free space on the disk as the database uses. Meanwhile
the board can be read, but uploads wait, and those that wait longer than 5 seconds
are tried again by their devices. For a large database, stop the server first.

"opbench-board doctor" prints how much space is unused.

Example: opbench-board compact
`,
  json: `opbench-board compact --json prints one object:

  before  size of the database in bytes
  after   its size now
`,
  options: {},
  run(_, output, settings) {
    const config = readServedConfig(settings);
    refuseNoBoard(config);
    const path = databasePath(config);
    const before = bytesOf(path);
    refuseFullDisk(dirname(path), before);
    withStore(settings, ({ leftovers, erasure }) => {
      leftovers.rewrite();
      // The file gets smaller once nobody reads its earlier state.
      erasure.checkpoint();
    });
    const after = bytesOf(path);
    const text = `The database uses ${sizeText(after)}; before, it used ${sizeText(before)}`;
    output.result({ before, after }, text);
    return EXIT.ok;
  },
});
