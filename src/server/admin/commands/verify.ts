import { UsageError } from '#core/cli/arguments.ts';
import type { LogHead } from '#db/engine/inspection.ts';
import { databasePath, listenUrl, migrationsPath } from '#server/config/config.ts';
import { readServedConfig } from '#server/running-server.ts';
import { type WholeCheck, checkWholeBoard } from '#server/verify/check.ts';
import { EXIT, command } from '../command.ts';
import { refuseNoBoard } from '../store.ts';
import { headText, reportText } from './verify-text.ts';

export const verify = command({
  help: `opbench-board verify: check that a board or a backup is complete and intact

Usage: opbench-board verify [FILE] [--head INDEX:HASH] [--log PUBLIC_LOG]
         [--every-day] [--json]

  FILE               a backup of any version; default: the board in DATA_DIR
  --head INDEX:HASH  also check that the log holds this entry; verify, backup and
                     export print the last one as "head"
  --log PUBLIC_LOG   also check that the log holds every entry of this copy of the
                     public log, for example an earlier download of /log.ndjson.gz;
                     a copy that the board did not sign proves nothing
  --every-day        recompute the boards of all stored days; default: the newest
                     board and the newest 7 days
  --json             print JSON

verify changes nothing and works while the server runs. It checks the database and
every hash, digest, signature and receipt of the log. It compares submissions,
keys and visibility with the log. It recomputes the Merkle tree, the counted days
and the stored boards from the log. Submissions signed for an earlier address of
the board stay valid.

Someone who removes the newest entries leaves a log that still looks complete.
Only --head or --log can prove that none are missing, so store a head or a copy of
the log in another place.

The log does not cover sign-ins, API keys, connected apps, profiles, secrets,
reserved names, records, challenges, messages and checks. "unchecked" lists what
was not checked.

With 10,000 operators, verify takes about a minute, plus some seconds a day.

Exit codes: 0 no problems, 3 a problem was found.

Example: opbench-board verify board.sqlite --log log.ndjson.gz
`,
  json: `opbench-board verify --json prints one object:

  path           the database
  whole          whether no problem was found
  found          number of problems
  findings       array of {code, message, ...}, the first 100 problems
  log_index      number of the last log entry, or null
  entry_hash     hash of the last log entry, or null
  operators      number of operators, or null if the database is damaged
  submissions    {signed, self_reported}, or null
  erased         number of erased log entries, or null
  boards         array of the recomputed boards
  copy           result of the comparison with --log, or null
  unchecked      array of texts: what was not checked
  notes          array of texts: remarkable, but not a problem
`,
  options: { head: readHead, log: 'text', 'every-day': 'flag' },
  word: '[FILE]',
  async run({ values, word }, output, settings) {
    const { head: past = null, log: copy = null, 'every-day': everyDay } = values;
    const config = readServedConfig(settings);
    if (word === '') refuseNoBoard(config);
    const path = word || databasePath(config);
    const baseUrl = config.baseUrl ?? listenUrl(config, config.port);
    const migrations = migrationsPath(config);
    const check = await checkWholeBoard(path, { baseUrl, migrations, past, copy, everyDay });
    output.result(dataOf(path, check), reportText(path, check, { past, copy }));
    return check.found === 0 ? EXIT.ok : EXIT.refused;
  },
});

function readHead(text: string): LogHead {
  const [, index, entry_hash = ''] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (index !== undefined) return { log_index: Number(index), entry_hash };
  const example = headText({ log_index: 12, entry_hash: '0a1b…' });
  throw new UsageError(
    `--head takes INDEX:HASH with 64 hex digits, as verify prints it, for example ${example}`,
  );
}

function dataOf(path: string, { head, findings, found, ...check }: WholeCheck): object {
  const { log_index = null, entry_hash = null } = head ?? {};
  return { path, log_index, entry_hash, ...check, findings, found, whole: found === 0 };
}
