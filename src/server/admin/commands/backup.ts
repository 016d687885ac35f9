import { dirname } from 'node:path';
import { UsageError, wholeNumber } from '#core/cli/arguments.ts';
import { StoreError } from '#db/engine/store-error.ts';
import { audit } from '#server/process/admin-actions.ts';
import { type Backup, writeBackup } from '#server/backups/backup-file.ts';
import { datedBackupPath, deleteOldBackups } from '#server/backups/dated-backups.ts';
import { databasePath } from '#server/config/config.ts';
import { BackupError } from '#server/process/backup-error.ts';
import { announceFailedBackup } from '#server/webhooks/announce.ts';
import { type ServedSettings, readServedConfig } from '#server/running-server.ts';
import { sizeText } from '#core/domain/text/figure.ts';
import { storageFaultOf } from '#server/process/storage-fault.ts';
import { EXIT, type AdminOutput, command } from '../command.ts';
import { withStore, refuseTarget, targetAt } from '../store.ts';
import { headText } from './verify-text.ts';

/** A year. The privacy page promises that backups are deleted after 30 days. */
const MAX_DAYS = 365;

export const backup = command({
  help: `opbench-board backup: copy the whole board into one file while it runs

Usage: opbench-board backup FILE [--force] [--json]
       opbench-board backup DIR --keep-days DAYS [--json]

  FILE         the file to write, outside DATA_DIR
  --force      replace FILE if it exists
  --keep-days  write a file named after the current time into the folder DIR, then
               delete backups in DIR that are older than DAYS days
  --json       print JSON

The backup is read again and verified before it appears under its name. Only you
can read it.

Keep the file secret: it holds the board's secrets and its operators' data, and
anyone who has it can impersonate the board. It does not hold the environment
variables or the folder BOARD_DIR. Back those up separately.

Store the head that backup prints (the last log entry) in another place. With it, "opbench-board verify
--head" proves later that nothing is missing.

Example: opbench-board backup /backups/board-$(date +%F).sqlite
`,
  json: `opbench-board backup --json prints one object:

  path         the file
  bytes        its size
  log_index    number of the last log entry, or 0
  entry_hash   hash of the last log entry, or null
  operators    number of operators
  deleted      array of the names of old backups that were deleted

Give log_index and entry_hash to: opbench-board verify --head INDEX:HASH
`,
  options: { force: 'flag', 'keep-days': wholeNumber(1, MAX_DAYS) },
  word: 'FILE',
  run({ values, word }, output, settings) {
    if (word === '-') {
      throw new UsageError(
        'backup does not write to stdout, because a backup holds secrets. Name a file',
      );
    }
    const config = readServedConfig(settings);
    const now = new Date();
    const days = values['keep-days'];
    const path = targetAt(days === undefined ? word : datedBackupPath(word, now));
    refuseTarget(path, config);
    const made = orAnnounced(settings, () => {
      return writeBackup(databasePath(config), path, { over: values.force });
    });
    recordBackup(made, settings, output);
    // Old backups are deleted only after the new one is complete and verified.
    const deleted = days === undefined ? [] : deleteOldBackups(dirname(path), days, now);
    report(made, deleted, output);
    return EXIT.ok;
  },
});

/** Runs `work`. If it fails, adds an event for webhooks, if the database can be written. */
function orAnnounced<Result>(settings: ServedSettings, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const isTaken = error instanceof BackupError && error.fault === 'taken';
    if (!isTaken) announceFailure(settings, error);
    throw error;
  }
}

function announceFailure(settings: ServedSettings, error: unknown): void {
  try {
    withStore(settings, (store, { now }) => announceFailedBackup(store, error, now));
  } catch {
    // The reason why the backup failed is reported.
  }
}

/** Records the backup in the board, so that `doctor` knows the age of the last one. */
function recordBackup({ path }: Backup, settings: ServedSettings, output: AdminOutput): void {
  try {
    withStore(settings, (store, { now }) => {
      audit(store, { action: 'backup', subject: path, operator_id: null, reason: null, now });
    });
  } catch (error) {
    if (!(error instanceof StoreError) && storageFaultOf(error) === null) throw error;
    output.note(
      'The backup is complete, but the board could not record it, so doctor does not know about it.',
    );
  }
}

function report(
  { path, bytes, head, operators }: Backup,
  deleted: readonly string[],
  output: AdminOutput,
): void {
  const { log_index = 0, entry_hash = null } = head ?? {};
  const end = head ? `head ${headText(head)}` : 'The log has no entries yet.';
  output.result(
    { path, bytes, log_index, entry_hash, operators, deleted },
    `${path}: ${sizeText(bytes)}, verified\n${end}\nOperators: ${operators}`,
  );
  if (deleted.length > 0) output.note(`Old backups deleted: ${deleted.join(', ')}`);
  output.note(
    "The backup holds the board's secrets: store it where only you can read it. It does not hold the environment variables or the folder BOARD_DIR: back them up, too.",
  );
}
