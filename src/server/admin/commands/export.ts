import { UsageError } from '#core/cli/arguments.ts';
import type { LogHead } from '#db/engine/inspection.ts';
import type { Store } from '#db/store.ts';
import {
  temporaryPathOf,
  removeStaleTemporaryFiles,
  refuseTaken,
} from '#server/process/atomic-file.ts';
import { type ServedSettings, readServedConfig } from '#server/running-server.ts';
import { type PublicLogSource, publicLogSource } from '#server/public-log/lines.ts';
import { sendPublicLog, writePublicLog } from '#server/public-log/write.ts';
import { unwritable } from '#server/process/storage-fault.ts';
import { activeRuleset } from '#server/process/rulesets.ts';
import { writeParquet } from '#server/parquet/write-parquet.ts';
import { EXIT, type AdminOutput, command } from '../command.ts';
import { stoppable } from '../stoppable.ts';
import { type KeptBoard, withOpenStore, refuseTarget, targetAt } from '../store.ts';
import { MOVING } from '../moving.ts';
import { headText } from './verify-text.ts';

export const exportPublicLog = command({
  help: `opbench-board export: write the public log, or the public daily counts

Usage: opbench-board export [FILE] [--force] [--json]
       opbench-board export --parquet FILE [--force] [--json]

  FILE       the file to write, outside DATA_DIR; compressed if its name ends with
             .gz; default: -, which is stdout
  --parquet  write the daily counts of operators who are public and have not opted
             out, as a Parquet file for DuckDB and other tools; needs FILE
  --force    replace FILE if it exists
  --json     print JSON; needs FILE

Operators and readers check the log with "opbench verify FILE". The board serves
the same log at /log.ndjson.gz. Queries for the Parquet file: /docs/run/analysis

Example: opbench-board export log.ndjson.gz
`,
  json: `opbench-board export FILE --json prints one object:

  path        the file
  log_index   number of the last log entry in it
  entry_hash  hash of that entry

With --parquet:

  path        the file
  log_index   every log entry up to this one counts in it
  as_of       the day on which it was written
  rows        number of daily counts
`,
  options: { force: 'flag', parquet: 'flag', whole: { gone: MOVING } },
  word: '[FILE]',
  async run({ values, word }, output, settings) {
    const path = word === '' || word === '-' ? '-' : targetAt(word);
    const target = { path, over: values.force };
    if (path === '-' && values.parquet) {
      throw new UsageError('A Parquet file cannot go to stdout. Name a FILE');
    }
    if (path === '-' && output.isJson) {
      throw new UsageError(
        'export prints the log itself on stdout. Name a FILE, or leave out --json',
      );
    }
    if (path !== '-') refuse(target, settings);
    const write = values.parquet ? exportCounts : exportTo;
    await withOpenStore(settings, (store, board) => {
      refuseUnstarted(store);
      return write(target, { store, board }, output);
    });
    return EXIT.ok;
  },
});

interface Target {
  /** A file path, or `-` for stdout. */
  path: string;
  /** Whether to replace an existing file. */
  over: boolean;
}

interface OpenBoard {
  store: Store;
  board: KeptBoard;
}

async function exportTo(
  target: Target,
  { store, board }: OpenBoard,
  output: AdminOutput,
): Promise<void> {
  const { path } = target;
  const source = publicLogSource(store, board);
  try {
    if (path === '-') await print(source, output);
    else report(path, headOf(source, await writeAt(target, source)), output);
  } catch (error) {
    // The program itself reports errors of stdout, and the reader may close the pipe.
    if (path === '-' && /^E[A-Z]+$/.test((error as NodeJS.ErrnoException).code ?? '')) return;
    throw unwritable(path, error);
  }
}

/** Writes the daily counts as a Parquet file. */
async function exportCounts(
  { path, over }: Target,
  { store, board }: OpenBoard,
  output: AdminOutput,
): Promise<void> {
  const { baseUrl, now, eligibility } = board;
  const source = { store, baseUrl, now, ruleset: activeRuleset(store, eligibility).id };
  try {
    const written = await writeUnder(path, (draft) => writeParquet(source, { path, draft, over }));
    const { rows, as_of } = written;
    output.result({ path, ...written }, `${path}: ${rows} daily counts as of ${as_of}`);
  } catch (error) {
    throw unwritable(path, error);
  }
}

function headOf({ store }: PublicLogSource, log_index: number): LogHead {
  return { log_index, entry_hash: store.log.at(log_index)?.entry_hash ?? '' };
}

function report(path: string, head: LogHead, output: AdminOutput): void {
  const text = `${path}: the public log up to entry ${head.log_index}\nhead ${headText(head)}`;
  output.result({ path, ...head }, text);
}

function refuse({ path, over }: Target, settings: ServedSettings): void {
  refuseTarget(path, readServedConfig(settings));
  if (!over) refuseTaken(path);
}

function refuseUnstarted(store: Store): void {
  if (store.log.head()) return;
  throw new UsageError('The log has no entries yet. Start the board once: opbench-board serve');
}

function writeAt({ path, over }: Target, source: PublicLogSource): Promise<number> {
  const isPacked = path.endsWith('.gz');
  return writeUnder(path, (draft) => writePublicLog(source, { path, draft, isPacked, over }));
}

/** Writes the file under a temporary name and renames it when it is complete. */
function writeUnder<Written>(path: string, write: (draft: string) => Promise<Written>) {
  const draft = temporaryPathOf(path);
  removeStaleTemporaryFiles(path);
  return stoppable(draft, () => write(draft));
}

async function print(source: PublicLogSource, output: AdminOutput): Promise<void> {
  const log_index = await sendPublicLog(source, process.stdout, false);
  if (!source.store.publicLog.isSeenOtherwiseSince(log_index)) return;
  output.note(
    'Operators changed their visibility during the export. Delete this copy and export again.',
  );
}
