import { plain } from '#core/domain/terminal-text.ts';
import { databasePath, listenUrl, migrationsPath, readConfig } from '../config.ts';
import { type ImportedBoard, importWholeBoard } from '../whole-file.ts';
import { readArguments } from './arguments.ts';
import { type Command, EXIT } from './command.ts';
import { headText } from './verify-text.ts';

export const importBoard: Command = {
  help: `opbench-board import FILE [--json]: makes the board in DATA_DIR from FILE, which
"opbench-board export --whole" wrote, packed or not, by this version or an earlier one. The whole
board moves, with its accounts, sessions, devices and secrets; people never move alone. DATA_DIR must
hold no board: nothing is merged or replaced (opbench-board restore FILE --force replaces).

FILE is checked to its last byte, and the board's log recomputed, before anything has the name of a
board. Whatever goes wrong before leaves none.

Keep BASE_URL. Where it has to change, what was sent stays signed for the old address and still
counts and verifies; but everybody signs in anew, devices enrol anew ("opbench enroll"; what they
sent before is theirs again, not counted twice), applications are let in anew, and GitHub, X or an
OpenID provider must be told the new address.

Example: DATA_DIR=/srv/board opbench-board import board.ndjson.gz

--json prints {"path", "base_url", "written_at", "operators", "entries", "log_index", "entry_hash"}.
`,
  async run(args, output) {
    const usage = 'import takes one FILE, which opbench-board export --whole wrote';
    const { positionals } = readArguments(args, { options: {}, words: 1, usage });
    const [file = ''] = positionals;
    const config = readConfig(process.env);
    const database = databasePath(config);
    const made = await importWholeBoard(file, {
      folder: config.dataDir,
      database,
      migrations: migrationsPath(config),
      now: () => new Date(),
    });
    const baseUrl = config.baseUrl ?? listenUrl(config, config.port);
    output.result(dataOf(database, made), textOf(database, made, baseUrl));
    return EXIT.ok;
  },
};

function dataOf(path: string, { header, head, entries, operators }: ImportedBoard): object {
  const { base_url, written_at } = header;
  const { log_index = null, entry_hash = null } = head ?? {};
  return { path, base_url, written_at, operators, entries, log_index, entry_hash };
}

function textOf(
  path: string,
  { header, head, entries, operators }: ImportedBoard,
  baseUrl: string,
) {
  const { base_url, written_at } = header;
  const moved = [
    `The board was at ${plain(base_url)}, and BASE_URL is ${baseUrl} here. Set BASE_URL to the old address`,
    'if people reach the board there; else see opbench-board import --help for what changes.',
  ];
  return [
    `${path} holds the board as it was at ${plain(written_at)}: ${operators} operators, ${entries} log entries.`,
    ...(head ? [`head ${headText(head)}`] : []),
    ...(base_url === baseUrl ? [] : moved),
    'Not in it: settings of the environment and the board folder (BOARD_DIR). Bring them along, stop the',
    'board where it was for good, and start it here. "opbench-board verify" proves that nothing is missing.',
  ].join('\n');
}
