import { UsageError } from '#core/cli/arguments.ts';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { withInspection } from '#server/backups/backup-file.ts';
import { KEPT_DAYS, leftoversIn } from '#server/backups/backups.ts';
import { type Config, databasePath, readConfig, listenUrl } from '#server/config/config.ts';
import { signedAddress } from '#server/device/signed-address.ts';
import { EXIT, type AdminOutput, command } from '../command.ts';
import { missingOf, restoredSentences } from '#server/backups/restored-text.ts';
import { type Restored, restoreBoard } from '#server/backups/restoring.ts';
import { headText } from './verify-text.ts';
import { plain } from '#core/domain/text/terminal-text.ts';

export const restore = command({
  help: `opbench-board restore FILE [--force] [--log PUBLIC_LOG] [--json]: makes a backup
the board of DATA_DIR. Stop the server first. FILE is verified before anything
changes, and never changed itself; one of an earlier version is upgraded.

A board that is there is replaced only with --force, and stays in DATA_DIR/backups
for ${KEPT_DAYS} days. What people deleted, hid, revoked or withdrew after the backup was
made does not come back, as far as something tells of it: the board that is
replaced, also what can be read of a damaged one, or with --log a newer copy of
the public log (log.ndjson.gz of the board, as a mirror or a reader has it), which
tells nothing of API keys, of who has no entry in it, and of what is hidden.
What nothing tells of is there again, and named in the output. Everybody signs in
again and lets applications in again. A board that cannot be read only for now is
not replaced.

To move a board to another machine, stop it, make a backup, restore that there, and
bring along what is not in it: the settings of the environment and BOARD_DIR. Keep
BASE_URL. Where it has to change, what was sent stays signed for the old address and
still counts and verifies; but devices enrol anew ("opbench enroll"; what they sent
before is theirs again, not counted twice), and GitHub, X or an OpenID provider must
be told the new address.

Example: opbench-board restore /backups/board-2027-03-01.sqlite --force

--json prints {"database", "log_index", "entry_hash", "operators", "replaced",
"erased", "hidden", "revoked", "decided", "unconfirmed", "missing"}; "replaced" is
where the board stays that was there, "unconfirmed" the codenames of which nothing
tells whether they were deleted since, "missing" how many of its log entries, or of
those of PUBLIC_LOG, the backup does not have; null if nothing tells.
`,
  options: { force: 'flag', log: 'text' },
  word: 'FILE',
  async run({ values, word }, output) {
    const config = readConfig(process.env);
    const file = fileAt(word);
    const log = values.log === undefined ? null : fileAt(values.log);
    const database = databasePath(config);
    refuseOwn(file, config);
    const over = values.force;
    const restored = await restoreBoard({ config, file, log, over, now: new Date() });
    tell(restored, database, output);
    const before = withInspection(database, signedAddress);
    otherAddress(before, config).forEach((line) => output.note(line));
    output.note('Start the server. "opbench-board verify" then proves that the board is whole.');
    return EXIT.ok;
  },
});

/** @throws {UsageError} if a file is the database itself, or what is deleted before a board is restored. */
function refuseOwn(file: string, config: Config): void {
  const isFile = (path: string) => existsSync(path) && realpathSync(path) === file;
  if (isFile(databasePath(config))) {
    throw new UsageError(`${file} is the board's own database, and no backup of it`);
  }
  if (leftoversIn(config.dataDir).some(isFile)) {
    throw new UsageError(`${file} was left by a command that was stopped, and is no backup`);
  }
}

/** @throws {UsageError} if there is no such file. */
function fileAt(path: string): string {
  const found = statSync(resolve(path), { throwIfNoEntry: false });
  if (!found) throw new UsageError(`There is no file ${path}`);
  if (!found.isFile()) throw new UsageError(`${path} is a folder or a device, and no file`);
  return realpathSync(path);
}

function tell(restored: Restored, database: string, output: AdminOutput): void {
  const { head, operators, replaced, replayed } = restored;
  const { log_index = 0, entry_hash = null } = head ?? {};
  const end = head ? `head ${headText(head)}` : 'The log of the backup has no entries yet';
  const missing = missingOf(restored);
  output.result(
    { database, log_index, entry_hash, operators, replaced, ...replayed, missing },
    `${database} is restored\n${end}\nOperators: ${operators - replayed.erased}`,
  );
  for (const sentence of restoredSentences(restored)) output.note(sentence);
}

/**
 * What to say where a board comes back at another address than it was at.
 *
 * @param before Null if that is not known.
 * @returns Nothing if it is the same.
 */
function otherAddress(before: string | null, config: Config): string[] {
  const baseUrl = config.baseUrl ?? listenUrl(config, config.port);
  if (before === null || before === baseUrl) return [];
  return [
    `The board was at ${plain(before)}, and BASE_URL is ${baseUrl} here. Set BASE_URL to the old address`,
    'if people reach the board there; else see opbench-board restore --help for what changes.',
  ];
}
