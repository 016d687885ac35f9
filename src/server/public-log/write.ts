import { createWriteStream, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { DomainError } from '#core/domain/text/errors.ts';
import { placeFile, syncFile, syncFolder } from '../process/atomic-file.ts';
import { inChunks } from '#server/process/yield-to-event-loop.ts';
import { type PublicLogSource, publicLog } from './lines.ts';

/** How often a file is begun again because somebody came to be seen otherwise meanwhile. */
const MAX_TRIES = 5;

/** Where a file is written, and where it grows until it is whole. */
export interface PublicLogTarget {
  path: string;
  draft: string;
  isPacked: boolean;
  /** Whether a file that stands there is replaced. */
  over: boolean;
}

/**
 * Writes the public log under its final name once it is whole. Lines are read one by one, so neither memory nor a
 * transaction grows with the log.
 *
 * @returns The last entry that it holds.
 * @throws {BackupError} `taken` if something stands there.
 * @throws {DomainError} `service_unavailable` if somebody came to be seen otherwise whenever it was tried.
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
  throw new DomainError('service_unavailable', 'Operators keep changing how they are seen');
}

/** Sends the public log somewhere; returns the last entry that it holds. */
export async function sendPublicLog(source: PublicLogSource, target: Writable, isPacked: boolean) {
  const { log_index, lines } = publicLog(source);
  const pieces = Readable.from(inChunks(lines), { highWaterMark: 1 });
  if (isPacked) await pipeline(pieces, createGzip(), target);
  else await pipeline(pieces, target);
  return log_index;
}
