import { createWriteStream, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
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
  { path, draft, isPacked, over }: PublicLogTarget,
): Promise<number> {
  try {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      rmSync(draft, { force: true });
      const file = createWriteStream(draft, { flags: 'wx', mode: 0o600 });
      const log_index = await sendPublicLog(source, file, isPacked);
      if (source.store.publicLog.isSeenOtherwiseSince(log_index)) continue;
      syncFile(draft);
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

/** Writes the public log to a stream. Returns the last entry in it. */
export async function sendPublicLog(source: PublicLogSource, target: Writable, isPacked: boolean) {
  const { log_index, lines } = publicLog(source);
  const pieces = Readable.from(inChunks(lines), { highWaterMark: 1 });
  if (isPacked) await pipeline(pieces, createGzip(), target);
  else await pipeline(pieces, target);
  return log_index;
}
