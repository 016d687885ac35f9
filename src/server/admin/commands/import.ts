import { plain } from '#core/domain/text/terminal-text.ts';
import { importDraft } from '#server/backups/backups.ts';
import { type Config, databasePath, migrationsPath, readConfig } from '#server/config/config.ts';
import { type ImportedBoard, importWholeBoard } from '#server/backups/whole-file.ts';
import { readArguments } from '../arguments.ts';
import { type Command, EXIT } from '../command.ts';
import { otherAddress } from '../other-address.ts';
import { stoppable } from '../stoppable.ts';
import { headText } from './verify-text.ts';

export const importBoard: Command = {
  help: `opbench-board import FILE [--json]: makes the board in DATA_DIR from FILE, which
"opbench-board export --whole" wrote, packed or not, by this version or an earlier one. The whole
board moves, with its accounts, sessions, devices and secrets; people never move alone. DATA_DIR must
hold no board: nothing is merged or replaced (opbench-board restore FILE --force replaces).

FILE is checked to its last byte, and the board's log recomputed, before anything has the name of a
board. Whatever goes wrong before leaves none.

The board is as it was when FILE was written. Who deleted an account since is there again, and who
was hidden since is seen again: so stop the board where it runs, then export. If the newest file is
older than that, use a backup and "opbench-board restore FILE --log PUBLIC_LOG", which deletes again
whom a newer copy of the public log tells of.

Keep BASE_URL. Where it has to change, what was sent stays signed for the old address and still
counts and verifies; but everybody signs in anew, devices enrol anew ("opbench enroll"; what they
sent before is theirs again, not counted twice), applications are let in anew, and GitHub, X or an
OpenID provider must be told the new address.

Example: DATA_DIR=/srv/board opbench-board import board.ndjson.gz

--json prints {"path", "base_url", "written_at", "operators", "entries", "log_index", "entry_hash"}.
`,
  async run(args, output) {
    const { word: file } = readArguments(args, { command: 'import', word: 'FILE' });
    const config = readConfig(process.env);
    const database = databasePath(config);
    const made = await stoppable(importDraft(config), () =>
      importWholeBoard(file, {
        folder: config.dataDir,
        database,
        migrations: migrationsPath(config),
        now: () => new Date(),
      }),
    );
    output.result(dataOf(database, made), textOf(database, made, config));
    return EXIT.ok;
  },
};

function dataOf(path: string, { header, head, entries, operators }: ImportedBoard): object {
  const { base_url, written_at } = header;
  const { log_index = null, entry_hash = null } = head ?? {};
  return { path, base_url, written_at, operators, entries, log_index, entry_hash };
}

function textOf(path: string, { header, head, entries, operators }: ImportedBoard, config: Config) {
  const { base_url, written_at } = header;
  return [
    `${path} holds the board as it was at ${plain(written_at)}: ${operators} operators, ${entries} log entries.`,
    ...(head ? [`head ${headText(head)}`] : []),
    ...otherAddress(base_url, config),
    'Who deleted an account or was hidden since then is there again: if the board ran on, export it anew and import that.',
    'Not in it: settings of the environment and the board folder (BOARD_DIR). Bring them along, stop the',
    'board where it was for good, and start it here. "opbench-board verify" proves that nothing is missing.',
  ].join('\n');
}
