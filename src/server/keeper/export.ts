import type { Store } from '#db/store.ts';
import { type PublicLogSource, publicLogSource } from '../public-log/lines.ts';
import { sendPublicLog, writePublicLog } from '../public-log/write.ts';
import { readArguments } from './arguments.ts';
import { type Command, EXIT, type Output } from './command.ts';
import { asksForWhole, exportWholeBoard } from './export-whole.ts';
import { type KeptBoard, withOpenStore } from './store.ts';
import { stoppable } from './stoppable.ts';
import { UsageError } from './usage-error.ts';

export const exportPublicLog: Command = {
  help: `opbench-board export [FILE] [--json]: the public log, which "opbench verify" of
the operator's command checks. Packed if FILE ends with .gz; on stdout without
FILE or for -.

Example: opbench-board export log.ndjson.gz

--json prints {"path", "log_index"}: the file, and the last entry that it holds.

opbench-board export --whole FILE [--force] [--json]: the whole board, beside its
server, as text that "opbench-board import" of this version or a later one takes.
It holds accounts, sessions, devices and all secrets, so it is never printed, and
only its owner may read the file. --force replaces a file that is there.

Example: opbench-board export --whole board.ndjson.gz

--json prints {"path", "bytes", "operators", "log_index", "entry_hash"}.
`,
  async run(args, output) {
    if (asksForWhole(args)) return exportWholeBoard(args, output);
    const path = pathIn(args);
    if (path === '-' && output.isJson) {
      throw new UsageError(
        'export prints the log itself on stdout: name a FILE, or leave out --json',
      );
    }
    await withOpenStore((store, board) => exportTo(path, sourceOf(store, board), output));
    return EXIT.ok;
  },
};

async function exportTo(path: string, source: PublicLogSource, output: Output): Promise<void> {
  try {
    if (path === '-') await print(source, output);
    else output.result({ path, log_index: await writeAt(path, source) }, '');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Whoever reads may stop reading.
    if (path === '-' && code === 'EPIPE') return;
    if (!/^E[A-Z]+$/.test(code ?? '')) throw error;
    throw new UsageError(`${path} cannot be written: ${message}`);
  }
}

function pathIn(args: string[]): string {
  if (args.length === 0 || (args.length === 1 && args[0] === '-')) return '-';
  const usage = 'export takes one FILE, or - for stdout';
  const [path = ''] = readArguments(args, { options: {}, words: 1, usage }).positionals;
  if (path === '') throw new UsageError(usage);
  return path;
}

function sourceOf(store: Store, board: KeptBoard): PublicLogSource {
  if (!store.log.head()) throw new UsageError('This board has no log yet: start it once');
  return publicLogSource(store, board);
}

/** Writes a file; whoever stops that finds no half of it. */
function writeAt(path: string, source: PublicLogSource): Promise<number> {
  const draft = `${path}.${process.pid}.tmp`;
  return stoppable(draft, () =>
    writePublicLog(source, { path, draft, isPacked: path.endsWith('.gz') }),
  );
}

/** What is printed cannot be taken back. */
async function print(source: PublicLogSource, output: Output): Promise<void> {
  const log_index = await sendPublicLog(source, process.stdout, false);
  if (!source.store.publicLog.isSeenOtherwiseSince(log_index)) return;
  output.note(
    'opbench-board: operators changed meanwhile how they are seen; delete this copy and export again.',
  );
}
