import { UsageError } from '#core/cli/arguments.ts';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { withInspection } from '#server/backups/backup-file.ts';
import { KEPT_DAYS, leftoversIn } from '#server/backups/backups.ts';
import { type Config, databasePath, listenUrl } from '#server/config/config.ts';
import { readServedConfig } from '#server/running-server.ts';
import { signedAddress } from '#server/device/signed-address.ts';
import { EXIT, type AdminOutput, command } from '../command.ts';
import { missingOf, restoredSentences } from '#server/backups/restored-text.ts';
import { type Restored, restoreBoard } from '#server/backups/restoring.ts';
import { isUrl } from '#server/backups/log-source.ts';
import { makeDataFolder } from '../store.ts';
import { KEEP_ADDRESS } from '../doctor/database.ts';
import { headText } from './verify-text.ts';
import { plain } from '#core/domain/text/terminal-text.ts';

export const restore = command({
  help: `opbench-board restore: restore a backup on this machine

Usage: opbench-board restore FILE [--force] [--log COPY] [--complete] [--new-log]
                            [--json]

  FILE        the backup, which can be from an earlier version
  --force     replace the board in DATA_DIR; it stays in DATA_DIR/backups for
              ${KEPT_DAYS} days
  --log COPY  a copy of the log that is newer than the backup: the file log.ndjson.gz,
              or a folder or an address with a copy of https://HOST/log
  --complete  on a new machine: FILE was made after the server had stopped for good
  --new-log   begin a new log if the published one cannot be continued
  --json      print JSON

Stop the server first. restore verifies FILE before it changes anything. It never
changes FILE itself.

The log that a board published must go on, or devices and witnesses report two
histories. restore takes the entries that FILE lacks from the board that it replaces
or from --log, and verifies them. If --log has payloads, submissions of accounts and
devices in FILE count again. Other entries have no contents: devices send those again.
If entries are missing, restore stops before it changes anything. Use --new-log only
if no copy exists. The board then continues under a new name, HOST/log/2. Proofs of
the old log stay valid, but everyone who follows it sees it end and has to trust the
new one.

Accounts that were deleted, operators who were hidden, keys that were revoked and
submissions that were withdrawn after the backup stay that way if restore finds
a record of it. It looks in the board that it replaces, even if that is damaged,
and in the copy that you give with --log, if it has payloads. That copy holds no API
keys, no operators without an entry in it, and nothing that is hidden. Operators whose
payloads a folder or an address does not show any more become private. The output
names what restore could not determine.

Everyone has to sign in and connect their apps again. If DATA_DIR cannot be read
for a temporary reason, restore stops and replaces nothing.

To move a board: stop the server, make a backup, restore it on the other machine
with --complete, and copy the environment variables and BOARD_DIR. Keep BASE_URL. If BASE_URL has to
change, earlier submissions still count and can be verified, but every device has
to enroll again ("opbench enroll"; its earlier submissions stay with it and do not
count twice), and GitHub, X or your OpenID provider need the new callback URL.

Example: opbench-board restore /backups/board-2027-03-01.sqlite --force
`,
  json: `opbench-board restore --json prints one object:

  database     the restored database
  log_index    number of the last log entry, or 0
  entry_hash   hash of the last log entry, or null
  operators    number of operators in the backup
  replaced     where the replaced board is now, or null
  erased       number of accounts that were deleted again
  hidden       number of accounts that show less again
  revoked      number of keys that were revoked again
  decided      number of submissions that do not count again
  unconfirmed  codenames that may have been deleted after the backup, or null
  missing      number of log entries that the backup lacks, or null if unknown
  lost         first and last of the log entries without contents, or null
  submissions  number of submissions entered again from --log
  new_log      name of the new log, or null
`,
  options: { force: 'flag', log: 'text', complete: 'flag', 'new-log': 'flag' },
  word: 'FILE',
  async run({ values, word }, output, settings) {
    const config = readServedConfig(settings);
    const file = fileAt(word);
    const log = values.log === undefined ? null : copyAt(values.log);
    const database = databasePath(config);
    refuseOwn(file, config);
    makeDataFolder(config);
    const over = values.force;
    const allowed = { newLog: values['new-log'], complete: values.complete };
    const restored = await restoreBoard({ config, file, log, over, allowed, now: new Date() });
    report(restored, database, output);
    const before = withInspection(database, signedAddress);
    otherAddress(before, config).forEach((line) => output.note(line));
    output.note('Start the server. Then run "opbench-board verify" to check the restored board.');
    return EXIT.ok;
  },
});

/** @throws {UsageError} if the file is the database itself or a leftover that restore deletes. */
function refuseOwn(file: string, config: Config): void {
  const isFile = (path: string) => existsSync(path) && realpathSync(path) === file;
  if (isFile(databasePath(config))) {
    throw new UsageError(`${file} is the board's own database, not a backup`);
  }
  if (leftoversIn(config.dataDir).some(isFile)) {
    throw new UsageError(`${file} is a temporary file of an interrupted command, not a backup`);
  }
}

/** @throws {UsageError} if there is no such file. */
function fileAt(path: string): string {
  const found = statSync(resolve(path), { throwIfNoEntry: false });
  if (!found) throw new UsageError(`There is no file ${path}`);
  if (!found.isFile()) throw new UsageError(`${path} is a folder or a device, not a file`);
  return realpathSync(path);
}

/** A URL or a path. */
function copyAt(place: string): string {
  const isFolder = statSync(resolve(place), { throwIfNoEntry: false })?.isDirectory();
  if (isFolder) return realpathSync(place);
  return isUrl(place) ? place.replace(/\/+$/, '') : fileAt(place);
}

function report(restored: Restored, database: string, output: AdminOutput): void {
  const { head, operators, replaced, replayed, continued } = restored;
  const { log_index = 0, entry_hash = null } = head ?? {};
  const end = head ? `head ${headText(head)}` : 'The log of the backup has no entries yet.';
  const missing = missingOf(restored);
  output.result(
    {
      ...{ database, log_index, entry_hash, operators, replaced, ...replayed, missing },
      ...{ lost: continued.lost, submissions: continued.entered, new_log: continued.newLog },
    },
    `Restored: ${database}\n${end}\nOperators: ${operators - replayed.erased}`,
  );
  for (const sentence of restoredSentences(restored)) output.note(sentence);
}

/**
 * A warning if the board's address has changed; otherwise no lines.
 *
 * @param before The earlier address; null if unknown.
 */
function otherAddress(before: string | null, config: Config): string[] {
  const baseUrl = config.baseUrl ?? listenUrl(config, config.port);
  if (before === null || before === baseUrl) return [];
  return [`The board was at ${plain(before)}, but BASE_URL is ${baseUrl} here.`, KEEP_ADDRESS];
}
