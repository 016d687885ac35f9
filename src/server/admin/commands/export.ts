import { UsageError } from '#core/cli/arguments.ts';
import type { LogHead } from '#db/engine/inspection.ts';
import type { Store } from '#db/store.ts';
import {
  temporaryPathOf,
  removeStaleTemporaryFiles,
  refuseTaken,
} from '#server/process/atomic-file.ts';
import { readConfig } from '#server/config/config.ts';
import { type PublicLogSource, publicLogSource } from '#server/public-log/lines.ts';
import { sendPublicLog, writePublicLog } from '#server/public-log/write.ts';
import { unwritable } from '#server/process/storage-fault.ts';
import { EXIT, type AdminOutput, command } from '../command.ts';
import { type KeptBoard, withOpenStore, refuseTarget, targetAt } from '../store.ts';
import { headText } from './verify-text.ts';
import { rmSync } from 'node:fs';

/** What does now what \`export --whole\` and \`import\` did in earlier versions. */
export const MOVING =
  '"opbench-board backup FILE" writes the whole board, and "opbench-board restore FILE" makes it one again, on another machine or in a later version';

export const exportPublicLog = command({
  help: `opbench-board export [FILE] [--force] [--json]: the public log, which
"opbench verify" of the operator's command checks. Packed if FILE ends with .gz;
on stdout without FILE or for -. --force replaces a file that is there.
Nothing is written into DATA_DIR.

Example: opbench-board export log.ndjson.gz

--json prints {"path", "log_index", "entry_hash"}: the file, and the last entry
that it holds.
`,
  options: { force: 'flag', whole: { gone: MOVING } },
  word: '[FILE]',
  async run({ values, word }, output) {
    const path = word === '' || word === '-' ? '-' : targetAt(word);
    const target = { path, over: values.force };
    if (path === '-' && output.isJson) {
      throw new UsageError(
        'export prints the log itself on stdout: name a FILE, or leave out --json',
      );
    }
    if (path !== '-') refuse(target);
    await withOpenStore((store, board) => exportTo(target, sourceOf(store, board), output));
    return EXIT.ok;
  },
});

interface Target {
  /** A file, or - for stdout. */
  path: string;
  /** Whether a file that stands there is replaced. */
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
    else tell(path, headOf(source, await writeAt(target, source)), output);
  } catch (error) {
    // Of stdout, the program itself tells what went wrong; and whoever reads may stop reading.
    if (path === '-' && /^E[A-Z]+$/.test((error as NodeJS.ErrnoException).code ?? '')) return;
    throw unwritable(path, error);
  }
}

function headOf({ store }: PublicLogSource, log_index: number): LogHead {
  return { log_index, entry_hash: store.log.at(log_index)?.entry_hash ?? '' };
}

function tell(path: string, head: LogHead, output: AdminOutput): void {
  const text = `${path} holds the public log up to entry ${head.log_index}.\nhead ${headText(head)}`;
  output.result({ path, ...head }, text);
}

function refuse({ path, over }: Target): void {
  refuseTarget(path, readConfig(process.env));
  if (!over) refuseTaken(path);
}

function sourceOf(store: Store, board: KeptBoard): PublicLogSource {
  if (!store.log.head()) throw new UsageError('This board has no log yet: start it once');
  return publicLogSource(store, board);
}

/** Writes a file; whoever stops that finds no half of it. */
function writeAt({ path, over }: Target, source: PublicLogSource): Promise<number> {
  const draft = temporaryPathOf(path);
  removeStaleTemporaryFiles(path);
  return stoppable(draft, () =>
    writePublicLog(source, { path, draft, isPacked: path.endsWith('.gz'), over }),
  );
}

/** What is printed cannot be taken back. */
async function print(source: PublicLogSource, output: AdminOutput): Promise<void> {
  const log_index = await sendPublicLog(source, process.stdout, false);
  if (!source.store.publicLog.isSeenOtherwiseSince(log_index)) return;
  output.note(
    'opbench-board: operators changed meanwhile how they are seen; delete this copy and export again.',
  );
}

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** Does work that fills a draft; whoever stops it finds no half of that. */
async function stoppable<Result>(draft: string, work: () => Promise<Result>): Promise<Result> {
  const stop = (signal: NodeJS.Signals) => {
    try {
      rmSync(draft, { force: true });
    } finally {
      SIGNALS.forEach((name) => process.off(name, stop));
      process.kill(process.pid, signal);
    }
  };
  SIGNALS.forEach((name) => process.on(name, stop));
  try {
    return await work();
  } finally {
    SIGNALS.forEach((name) => process.off(name, stop));
  }
}
