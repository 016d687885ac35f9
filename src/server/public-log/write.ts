import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
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
  { path, draft, isPacked, over, boards }: PublicLogTarget,
): Promise<number> {
  try {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      rmSync(draft, { force: true });
      const file = createWriteStream(draft, { flags: 'wx', mode: 0o600 });
      const log_index = await sendPublicLog(source, file, isPacked);
      if (source.store.publicLog.isSeenOtherwiseSince(log_index)) continue;
      syncFile(draft);
      if (boards !== undefined) await writeBoards(draft, boards);
      placeFile(draft, path, over);
      syncFolder(dirname(path));
      return log_index;
    }
  } finally {
    rmSync(draft, { force: true });
  }
  throw new DomainError(
    'service_unavailable',
    'The public log could not be written, because operators kept changing their visibility. Try again',
  );
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
