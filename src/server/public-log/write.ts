import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Store } from '#db/store.ts';
import { createGzip } from '#db/threads/compression.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { placeFile, syncFile, syncFolder } from '../process/atomic-file.ts';
import { inChunks } from '#server/process/yield-to-event-loop.ts';
import { type PublicLogSource, publicLog } from './lines.ts';

/** How often writing starts again because an operator's visibility changed meanwhile. */
const MAX_TRIES = 5;

/** The final path of a public log, and the path of its temporary file. */
export interface PublicLogTarget {
  path: string;
  draft: string;
  isPacked: boolean;
  /** Whether an existing file is replaced. */
  over: boolean;
  /** The path of a second, compressed file with the lines that are not entries. */
  boards?: string;
}

/** How to write a file that must not show an operator who was hidden meanwhile. */
interface ShownFile<Written> extends Pick<PublicLogTarget, 'draft' | 'over' | 'path'> {
  /** Writes the temporary file, which does not exist. Returns the last log entry whose visibility it follows. */
  write: () => Promise<Written>;
  /** Called with the complete temporary file, before it gets its final path. */
  finish?: () => Promise<void>;
}

/**
 * Writes a file with public data under a temporary name and renames it when it is complete, if no operator's visibility
 * changed meanwhile. Otherwise it starts again.
 *
 * @throws {BackupError} `taken` if the file exists.
 * @throws {DomainError} `service_unavailable` if an operator's visibility changed during each attempt.
 */
export async function writeShownFile<Written extends { log_index: number }>(
  store: Store,
  { path, draft, over, write, finish }: ShownFile<Written>,
): Promise<Written> {
  try {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      rmSync(draft, { force: true });
      const written = await write();
      if (store.publicLog.isSeenOtherwiseSince(written.log_index)) continue;
      syncFile(draft);
      await finish?.();
      placeFile(draft, path, over);
      syncFolder(dirname(path));
      return written;
    }
  } finally {
    rmSync(draft, { force: true });
  }
  throw new DomainError(
    'service_unavailable',
    'The file could not be written, because operators kept changing their visibility. Try again',
  );
}

/**
 * Writes the public log to a temporary file and renames it when complete. Reads entries one by one, so neither memory
 * nor a transaction grows with the log.
 *
 * @returns The last entry in the file.
 * @throws {BackupError} `taken` if the file exists.
 * @throws {DomainError} `service_unavailable` if an operator's visibility changed during each attempt.
 */
export async function writePublicLog(
  source: PublicLogSource,
  { isPacked, boards, ...target }: PublicLogTarget,
): Promise<number> {
  const { draft } = target;
  const write = async () => {
    const file = createWriteStream(draft, { flags: 'wx', mode: 0o600 });
    return { log_index: await sendPublicLog(source, file, isPacked) };
  };
  const finish = async () => {
    if (boards !== undefined) await writeBoards(draft, boards);
  };
  const { log_index } = await writeShownFile(source.store, { ...target, write, finish });
  return log_index;
}

const ENTRY_START = Buffer.from('{"line":"entry"');

/** Copies the lines of a compressed public log that are not entries. */
async function writeBoards(log: string, boards: string): Promise<void> {
  const draft = `${boards}.tmp`;
  try {
    const file = createWriteStream(draft, { mode: 0o600 });
    await pipeline(createReadStream(log), createGunzip(), withoutEntries, createGzip(), file);
    syncFile(draft);
    placeFile(draft, boards, true);
  } finally {
    rmSync(draft, { force: true });
  }
}

async function* withoutEntries(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const text = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let from = 0;
    for (let to = text.indexOf(10); to >= 0; to = text.indexOf(10, from)) {
      const line = text.subarray(from, to + 1);
      from = to + 1;
      if (!ENTRY_START.equals(line.subarray(0, ENTRY_START.length))) yield line;
    }
    rest = text.subarray(from);
  }
}

/** Writes the public log to a stream. Returns the last entry in it. */
export async function sendPublicLog(source: PublicLogSource, target: Writable, isPacked: boolean) {
  const { log_index, lines } = publicLog(source);
  const pieces = Readable.from(inChunks(lines), { highWaterMark: 1 });
  if (isPacked) await pipeline(pieces, createGzip(), target);
  else await pipeline(pieces, target);
  return log_index;
}
