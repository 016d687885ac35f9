import { UsageError } from '#core/cli/arguments.ts';
import type { LogHead } from '#db/engine/inspection.ts';
import { databasePath, listenUrl, migrationsPath } from '#server/config/config.ts';
import { readServedConfig } from '#server/running-server.ts';
import { type WholeCheck, checkWholeBoard } from '#server/verify/check.ts';
import { EXIT, command } from '../command.ts';
import { refuseNoBoard } from '../store.ts';
import { headText, reportText } from './verify-text.ts';

export const verify = command({
  help: `opbench-board verify [FILE] [--head INDEX:HASH] [--log PUBLIC_LOG] [--every-day] [--json]:
proves what the log proves of a board; without FILE of the board in DATA_DIR, else of a backup, of
any version. Nothing is changed, and a server may be running. It checks the database and its tables, and
the whole log: every hash, digest, signature and receipt. It compares submissions, keys, and how
operators are seen with the log, and recomputes from it what counts for each operator, the newest
board, and the newest 7 of the days that are kept; --every-day recomputes all of these. 10,000
operators take about a minute, and some seconds more for each day.

Sign-ins, API keys, applications, profiles, secrets, names kept back, records, challenges, messages
and checks are not in the log, so nothing proves these. What was not checked stands under
"unchecked".

Whoever takes the newest entries away leaves a log that holds together. So keep a proof elsewhere:
  --head INDEX:HASH   the log must hold this entry; verify and backup print the last one
  --log PUBLIC_LOG    the log must hold every entry of this copy of the public log, such as
                      /log.ndjson.gz that somebody downloaded before; a copy that is not as
                      its board signed it proves nothing

Example: opbench-board verify board.backup --log log.ndjson.gz

Submissions that were signed for an earlier address of the board are as good as others.

--json prints {"path", "log_index", "entry_hash", "operators", "submissions": {"signed",
"self_reported"}, "erased", "boards", "copy", "unchecked", "notes", "findings": [{"code",
"message", ...}], "found", "whole"}. Ends with 3 if anything is not as it must be.
`,
  options: { head: readHead, log: 'text', 'every-day': 'flag' },
  word: '[FILE]',
  async run({ values, word }, output) {
    const { head: past = null, log: copy = null, 'every-day': everyDay } = values;
    const config = readServedConfig(process.env);
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
  throw new UsageError(`--head takes INDEX:HASH with 64 digits, as verify prints it: ${example}`);
}

function dataOf(path: string, { head, findings, found, ...check }: WholeCheck): object {
  const { log_index = null, entry_hash = null } = head ?? {};
  return { path, log_index, entry_hash, ...check, findings, found, whole: found === 0 };
}
