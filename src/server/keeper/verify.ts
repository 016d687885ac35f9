import type { LogHead } from '#db/inspection.ts';
import { databasePath, listenUrl, migrationsPath, readConfig } from '../config.ts';
import { type WholeCheck, checkWholeBoard } from '../whole-check.ts';
import { readArguments } from './arguments.ts';
import { type Command, EXIT } from './command.ts';
import { UsageError } from './usage-error.ts';
import { headText, reportText } from './verify-text.ts';

const USAGE = 'verify takes one FILE at most, and --log PUBLIC_LOG and --head INDEX:HASH';

export const verify: Command = {
  help: `opbench-board verify [FILE] [--head INDEX:HASH] [--log PUBLIC_LOG] [--json]: proves that a
board is whole; without FILE the board in DATA_DIR, else a backup, of any version. Nothing is
changed, and a server may be running. It checks the database itself, and the whole log: every hash,
digest, signature and receipt. It recomputes from the log what counts for each operator and all
boards that are kept, and compares them with what is stored. It reads everything: 10,000 operators
take about a minute.

Whoever takes the newest entries away leaves a log that holds together. So keep a proof elsewhere:
  --head INDEX:HASH   the log must hold this entry; verify and backup print the last one
  --log PUBLIC_LOG    the log must hold every entry of this copy of the public log, such as
                      /log.ndjson.gz that somebody downloaded before

Example: opbench-board verify board.backup --log log.ndjson.gz

Submissions that were signed for an earlier address of the board are as good as others.

--json prints {"path", "log_index", "entry_hash", "operators", "submissions": {"signed",
"self_reported"}, "erased", "boards", "copy", "unchecked", "notes", "findings": [{"code",
"message", ...}], "found", "whole"}. Ends with 3 if anything is not as it must be.
`,
  async run(args, output) {
    const { path, past, copy, config } = asked(args);
    const baseUrl = config.baseUrl ?? listenUrl(config, config.port);
    const migrations = migrationsPath(config);
    const check = await checkWholeBoard(path, { baseUrl, migrations, past, copy });
    output.result(dataOf(path, check), reportText(path, check, { past, copy }));
    return check.found === 0 ? EXIT.ok : EXIT.refused;
  },
};

function asked(args: string[]) {
  const options = { head: { type: 'string' }, log: { type: 'string' } } as const;
  const words = countWords(args);
  const { values, positionals } = readArguments(args, { options, words, usage: USAGE });
  const config = readConfig(process.env);
  const path = positionals[0] ?? databasePath(config);
  const past = values.head === undefined ? null : readHead(values.head);
  return { path, past, copy: values.log ?? null, config };
}

/** One word more than the values of options is the file. */
function countWords(args: readonly string[]): 0 | 1 {
  const isValue = (index: number) => ['--head', '--log'].includes(args[index - 1] ?? '');
  return args.some((arg, index) => !arg.startsWith('--') && !isValue(index)) ? 1 : 0;
}

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
