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
import { EXIT, type AdminOutput, command } from '../command.ts';
import { stoppable } from '../stoppable.ts';
import { type KeptBoard, withOpenStore, refuseTarget, targetAt } from '../store.ts';
import { headText } from './verify-text.ts';

/** What to use instead of `export --whole` and `import`, which earlier versions had. */
export const MOVING =
  'use "opbench-board backup FILE" to copy a whole board and "opbench-board restore FILE" to restore it, also on another machine or with a later version';

export const exportPublicLog = command({
  help: `opbench-board export: write the public log

Usage: opbench-board export [FILE] [--force] [--json]

  FILE     the file to write, outside DATA_DIR; compressed if its name ends with
           .gz; default: -, which is stdout
  --force  replace FILE if it exists
  --json   print JSON; needs FILE

Operators and readers check the log with "opbench verify FILE". The board serves
the same log at /log.ndjson.gz.

Example: opbench-board export log.ndjson.gz
`,
  json: `opbench-board export FILE --json prints one object:

  path        the file
  log_index   number of the last log entry in it
  entry_hash  hash of that entry
`,
  options: { force: 'flag', whole: { gone: MOVING } },
  word: '[FILE]',
  async run({ values, word }, output, settings) {
    const path = word === '' || word === '-' ? '-' : targetAt(word);
    const target = { path, over: values.force };
    if (path === '-' && output.isJson) {
      throw new UsageError(
        'export prints the log itself on stdout. Name a FILE, or leave out --json',
      );
    }
    if (path !== '-') refuse(target, settings);
    await withOpenStore(settings, (store, board) =>
      exportTo(target, sourceOf(store, board), output),
    );
    return EXIT.ok;
  },
});

interface Target {
  /** A file path, or `-` for stdout. */
  path: string;
  /** Whether to replace an existing file. */
  over: boolean;
}

async function exportTo(
  target: Target,
  source: PublicLogSource,
  output: AdminOutput,
): Promise<void> {
  const { path } = target;
  try {
    if (path === '-') await print(source, output);
    else report(path, headOf(source, await writeAt(target, source)), output);
  } catch (error) {
    // The program itself reports errors of stdout, and the reader may close the pipe.
    if (path === '-' && /^E[A-Z]+$/.test((error as NodeJS.ErrnoException).code ?? '')) return;
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

function sourceOf(store: Store, board: KeptBoard): PublicLogSource {
  if (!store.log.head())
    throw new UsageError('The log has no entries yet. Start the board once: opbench-board serve');
  return publicLogSource(store, board);
}

/** Writes the file under a temporary name and renames it when it is complete. */
function writeAt({ path, over }: Target, source: PublicLogSource): Promise<number> {
  const draft = temporaryPathOf(path);
  removeStaleTemporaryFiles(path);
  return stoppable(draft, () =>
    writePublicLog(source, { path, draft, isPacked: path.endsWith('.gz'), over }),
  );
}

async function print(source: PublicLogSource, output: AdminOutput): Promise<void> {
  const log_index = await sendPublicLog(source, process.stdout, false);
  if (!source.store.publicLog.isSeenOtherwiseSince(log_index)) return;
  output.note(
    'Operators changed their visibility during the export. Delete this copy and export again.',
  );
}
