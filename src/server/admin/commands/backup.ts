import { UsageError } from '#core/cli/arguments.ts';
import { StoreError } from '#db/engine/store-error.ts';
import { audit } from '#server/process/admin-actions.ts';
import { type Backup, writeBackup } from '#server/backups/backup-file.ts';
import { databasePath, readConfig } from '#server/config/config.ts';
import { sizeText } from '#core/domain/text/figure.ts';
import { storageFaultOf } from '#server/process/storage-fault.ts';
import { EXIT, type AdminOutput, command } from '../command.ts';
import { withStore, refuseTarget, targetAt } from '../store.ts';
import { headText } from './verify-text.ts';

export const backup = command({
  help: `opbench-board backup FILE [--force] [--json]: writes the whole board, as it is at
one moment, into a file. The board goes on meanwhile. The file is read again and
verified before it gets its name; nothing that is there is overwritten without
--force, and nothing is written into DATA_DIR.

FILE holds the board's secrets and its operators' data: only you may read it, and
whoever has it can pass for the board. It does not hold the settings of the
environment nor the folder BOARD_DIR: keep copies of these, too.

Example: opbench-board backup /backups/board-$(date +%F).sqlite

--json prints {"path", "bytes", "log_index", "entry_hash", "operators"};
"log_index" and "entry_hash" are the end of the log, which "opbench-board verify
--head" takes.
`,
  options: { force: 'flag' },
  word: 'FILE',
  run({ values, word }, output) {
    if (word === '-') {
      throw new UsageError('backup writes secrets, so it takes one FILE and no stdout');
    }
    const config = readConfig(process.env);
    const path = targetAt(word);
    refuseTarget(path, config);
    const made = writeBackup(databasePath(config), path, { over: values.force });
    noteIt(made, output);
    tell(made, output);
    return EXIT.ok;
  },
});

/** Notes in the board that there is a backup, so that doctor can tell how old the last one is. */
function noteIt({ path }: Backup, output: AdminOutput): void {
  try {
    withStore((store, { now }) => {
      audit(store, { action: 'backup', subject: path, operator_id: null, reason: null, now });
    });
  } catch (error) {
    if (!(error instanceof StoreError) && storageFaultOf(error) === null) throw error;
    output.note('The backup is made, but the board could not note that, so doctor cannot tell.');
  }
}

function tell({ path, bytes, head, operators }: Backup, output: AdminOutput): void {
  const { log_index = 0, entry_hash = null } = head ?? {};
  const end = head ? `head ${headText(head)}` : 'The log has no entries yet';
  output.result(
    { path, bytes, log_index, entry_hash, operators },
    `${path}: ${sizeText(bytes)}, verified\n${end}\nOperators: ${operators}`,
  );
  output.note(
    "It holds the board's secrets: keep it where only you can read it. It does not hold the settings of the environment, nor BOARD_DIR: keep these, too.",
  );
}
