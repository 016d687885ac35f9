import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StoreError } from '#db/store-error.ts';
import { audit } from '../audit.ts';
import { type Backup, inMegabytes, writeBackup } from '../backup-file.ts';
import { ConfigError, type Config, databasePath, readConfig } from '../config.ts';
import { storageFaultOf } from '../storage-fault.ts';
import { readArguments } from './arguments.ts';
import { type Command, EXIT, type Output } from './command.ts';
import { withStore } from './store.ts';
import { UsageError } from './usage-error.ts';

export const backup: Command = {
  help: `opbench-board backup FILE [--force] [--json]: writes the whole board, as it is at
one moment, into a file. The board goes on meanwhile. The file is read again and
verified before it gets its name; nothing that is there is overwritten without
--force.

FILE holds the board's secrets and its operators' data: only you may read it, and
whoever has it can pass for the board. It does not hold the settings of the
environment nor the folder BOARD_DIR: keep copies of these, too.

Example: opbench-board backup /backups/board-$(date +%F).sqlite

--json prints {"path", "bytes", "log_index", "entry_hash", "operators"};
"log_index" and "entry_hash" are the end of the log, which "opbench-board verify
--head" takes.
`,
  run(args, output) {
    const usage = 'backup takes one FILE, and --force';
    const options = { force: { type: 'boolean' } } as const;
    const { values, positionals } = readArguments(args, { options, words: 1, usage });
    const [file = ''] = positionals;
    if (file === '' || file === '-') throw new UsageError(usage);
    const config = readConfig(process.env);
    const path = resolve(file);
    refuseTarget(path, config);
    const made = writeBackup(databasePath(config), path, { over: values.force === true });
    noteIt(made, output);
    tell(made, output);
    return EXIT.ok;
  },
};

/**
 * Refuses a place where no copy of the board can be written.
 *
 * @throws {UsageError} saying what stands there.
 * @throws {ConfigError} if there is no board.
 */
export function refuseTarget(path: string, config: Config): void {
  const database = databasePath(config);
  if (!statSync(database, { throwIfNoEntry: false })) {
    throw new ConfigError(`There is no board in ${config.dataDir}: set DATA_DIR`);
  }
  const folder = statSync(dirname(path), { throwIfNoEntry: false });
  if (!folder) throw new UsageError(`There is no folder ${dirname(path)}: make it first`);
  if (!folder.isDirectory()) throw new UsageError(`${dirname(path)} is a file, and no folder`);
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory()) throw new UsageError(`${path} is a folder: name a file in it`);
  if (there && !there.isFile()) throw new UsageError(`${path} is no file but a device`);
  if (isOwn(path, database)) {
    throw new UsageError(`${path} is the board's own database: name another file`);
  }
}

/** Whether a path is, or leads to, the database or what SQLite keeps beside it. */
function isOwn(path: string, database: string): boolean {
  const own = ['', '-wal', '-shm', '-journal'].map((suffix) => database + suffix);
  const there = statSync(path, { throwIfNoEntry: false });
  return own.includes(path) || own.some((name) => there !== undefined && isSame(name, there));
}

function isSame(path: string, { dev, ino }: { dev: number; ino: number }): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.dev === dev && found.ino === ino;
}

/** Notes in the board that there is a backup, so that doctor can tell how old the last one is. */
function noteIt({ path }: Backup, output: Output): void {
  try {
    withStore((store, { now }) => {
      audit(store, { action: 'backup', subject: path, operator_id: null, reason: null, now });
    });
  } catch (error) {
    if (!(error instanceof StoreError) && storageFaultOf(error) === null) throw error;
    output.note('The backup is made, but the board could not note that, so doctor cannot tell.');
  }
}

function tell({ path, bytes, head, operators }: Backup, output: Output): void {
  const { log_index = 0, entry_hash = null } = head ?? {};
  const end = head ? `ends with entry ${log_index}, ${entry_hash}` : 'has no entries yet';
  output.result(
    { path, bytes, log_index, entry_hash, operators },
    `${path}: ${inMegabytes(bytes)}, verified\nThe log ${end}\nOperators: ${operators}`,
  );
  output.note(
    "It holds the board's secrets: keep it where only you can read it. It does not hold the settings of the environment, nor BOARD_DIR: keep these, too.",
  );
}
