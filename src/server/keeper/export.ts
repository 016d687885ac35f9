import { rmSync } from 'node:fs';
import type { Store } from '#db/store.ts';
import { type PublicLogSource, publicLogSource } from '../public-log/lines.ts';
import { sendPublicLog, writePublicLog } from '../public-log/write.ts';
import { readArguments } from './arguments.ts';
import { type KeptBoard, withOpenStore } from './store.ts';
import { UsageError } from './usage-error.ts';

/** Writes the public log into a file, or on stdout. */
export async function exportPublicLog(args: string[]): Promise<void> {
  const path = pathIn(args);
  await withOpenStore(async (store, board) => {
    const source = sourceOf(store, board);
    try {
      if (path === '-') await print(source);
      else await writeAt(path, source);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      // Whoever reads may stop reading.
      if (path === '-' && code === 'EPIPE') return;
      if (!/^E[A-Z]+$/.test(code ?? '')) throw error;
      throw new UsageError(`${path} cannot be written: ${message}`);
    }
  });
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

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** Writes a file; whoever stops that finds no half of it. */
async function writeAt(path: string, source: PublicLogSource): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
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
    await writePublicLog(source, { path, draft, isPacked: path.endsWith('.gz') });
  } finally {
    SIGNALS.forEach((name) => process.off(name, stop));
  }
}

/** What is printed cannot be taken back. */
async function print(source: PublicLogSource): Promise<void> {
  const log_index = await sendPublicLog(source, process.stdout, false);
  if (!source.store.publicLog.isSeenOtherwiseSince(log_index)) return;
  process.stderr.write(
    'opbench-board: operators changed meanwhile how they are seen; delete this copy and export again.\n',
  );
}
