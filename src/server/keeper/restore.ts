import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { databasePath, readConfig } from '../config.ts';
import type { LaterFacts } from '../later-facts.ts';
import { readArguments } from './arguments.ts';
import { type Command, EXIT, type Output } from './command.ts';
import { type Restored, restoreBoard } from './restoring.ts';
import { UsageError } from './usage-error.ts';

export const restore: Command = {
  help: `opbench-board restore FILE [--force] [--log PUBLIC_LOG] [--json]: makes a backup
the board of DATA_DIR. Stop the server first. FILE is verified before anything
changes, and never changed itself; one of an earlier version is upgraded.

A board that is there is replaced only with --force, and stays in DATA_DIR/backups
for 30 days. Who deleted an account, or was hidden, after the backup was made does
not come back: the board that is replaced tells that, or with --log a newer copy
of the public log (log.ndjson.gz of the board, as a mirror or a reader has it),
which tells of deletions only. Without either, accounts that were deleted since
are there again.

Example: opbench-board restore /backups/board-2027-03-01.sqlite --force

--json prints {"database", "log_index", "entry_hash", "operators", "replaced",
"erased", "hidden", "missing"}; "replaced" is where the board stays that was
there, "missing" how many of its log entries, or of those of PUBLIC_LOG, the
backup does not have, null if nothing tells.
`,
  async run(args, output) {
    const usage = 'restore takes one FILE, --force and --log';
    const options = { force: { type: 'boolean' }, log: { type: 'string' } } as const;
    const { values, positionals } = readArguments(args, { options, words: 1, usage });
    const config = readConfig(process.env);
    const file = fileAt(positionals[0] ?? '', usage);
    const log = values.log === undefined ? null : fileAt(values.log, usage);
    const database = databasePath(config);
    if (statSync(database, { throwIfNoEntry: false }) && realpathSync(database) === file) {
      throw new UsageError(`${file} is the board's own database, and no backup of it`);
    }
    const over = values.force === true;
    const restored = await restoreBoard({ config, file, log, over, now: new Date() });
    tell(restored, database, output);
    return EXIT.ok;
  },
};

/** @throws {UsageError} if there is no such file. */
function fileAt(path: string, usage: string): string {
  if (path === '') throw new UsageError(usage);
  const found = statSync(resolve(path), { throwIfNoEntry: false });
  if (!found) throw new UsageError(`There is no file ${path}`);
  if (!found.isFile()) throw new UsageError(`${path} is a folder or a device, and no file`);
  return realpathSync(path);
}

function tell(restored: Restored, database: string, output: Output): void {
  const { head, operators, replaced, replayed } = restored;
  const { log_index = 0, entry_hash = null } = head ?? {};
  const end = head ? `ends with entry ${log_index}, ${entry_hash}` : 'has no entries yet';
  const missing = missingOf(restored);
  output.result(
    { database, log_index, entry_hash, operators, replaced, ...replayed, missing },
    `${database} is restored\nThe log of the backup ${end}\nOperators: ${operators - replayed.erased}`,
  );
  for (const sentence of sentences(restored, missing)) output.note(sentence);
}

/** How many entries the backup lacks; null if nothing tells. */
function missingOf({ facts }: Restored): number | null {
  const related = facts.filter(({ common }) => common > 0);
  if (related.length === 0) return null;
  return Math.max(...related.map(({ head, common }) => head.log_index - common));
}

function sentences(restored: Restored, missing: number | null): string[] {
  const { replaced, replayed, facts } = restored;
  const told = [
    replaced === null ? '' : `The board that was there stays in ${replaced} for 30 days.`,
    replayed.erased === 0
      ? ''
      : `Accounts that were deleted since, and are again: ${replayed.erased}.`,
    replayed.hidden === 0 ? '' : `Accounts that show less since, and do again: ${replayed.hidden}.`,
    ...facts.map((each) => parting(each, restored)),
    missing === null || missing === 0 ? '' : lost(missing),
    unknown(restored),
    'Start the server. "opbench-board verify" then proves that the board is whole.',
  ];
  return told.filter((sentence) => sentence !== '');
}

/** Where the logs part, if not at the end of the backup. */
function parting({ common }: LaterFacts, { head }: Restored): string {
  const length = head?.log_index ?? 0;
  if (common === 0) return 'What was there is another board, of which nothing was taken over.';
  if (common === length) return '';
  return `Only the first ${common} entries of the log are the same there: since then, both went ways of their own.`;
}

function lost(missing: number): string {
  return `Entries of the log that were there, and that the backup lacks: ${missing}. Devices send their signed days again with their next "opbench submit", as far as their logs go back. Accounts, devices and keys that are newer than the backup, and what was sent by hand since, are not there: who has one of these begins again.`;
}

function unknown({ isReplacedRead, facts }: Restored): string {
  if (facts.some(({ common }) => common > 0)) return '';
  const why =
    isReplacedRead === false
      ? 'The board that was there cannot be read, so'
      : 'There was nothing to compare the backup with, so';
  return `${why} accounts that were deleted after the backup was made are there again. If you have a newer copy of the public log, restore again with --log.`;
}
