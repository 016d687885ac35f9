/** Reads the entries of a published log, with the paths of C2SP tlog-tiles. */
import type { LogLeaf } from '#db/log.ts';
import { readEntryText } from '#core/domain/log/log-entry.ts';
import { MAX_BUNDLE_BYTES, decodeBundle } from '#core/domain/tlog/bundle.ts';
import { parseCheckpoint } from '#core/domain/tlog/checkpoint.ts';
import { NoteError } from '#core/domain/tlog/note-error.ts';
import { parseNote } from '#core/domain/tlog/note.ts';
import { TILE_WIDTH, tilePath, tileWidth } from '#core/domain/tlog/tile.ts';
import { TlogError } from '#core/domain/tlog/tlog-error.ts';
import { BackupError } from '../process/backup-error.ts';
import type { LogSource } from './log-source.ts';
import type { SignedCheckpoint } from '../public-log/checkpoint-file.ts';

const MAX_CHECKPOINT_BYTES = 1024 * 1024;

export interface PublishedEntries {
  /** Its signature is not verified yet. */
  checkpoint: SignedCheckpoint;
  /** The entries after the given one, which may have been changed. */
  leaves: readonly LogLeaf[];
}

/**
 * Reads the checkpoint and the entries that a backup lacks.
 *
 * @param after The last entry that is not needed.
 * @throws {BackupError} `unsound` if something is missing or malformed, `disk` if it cannot be read now.
 */
export async function readPublishedEntries(
  source: LogSource,
  after: number,
): Promise<PublishedEntries> {
  const checkpoint = await readCheckpoint(source);
  const leaves: LogLeaf[] = [];
  const { size } = checkpoint;
  for (let number = Math.floor(after / TILE_WIDTH); number * TILE_WIDTH < size; number += 1) {
    const entries = await readBundle(source, number, size);
    leaves.push(...entries.filter(({ index }) => index > after));
  }
  return { checkpoint, leaves };
}

export async function readCheckpoint(source: LogSource): Promise<SignedCheckpoint> {
  const bytes = await source.read('checkpoint', MAX_CHECKPOINT_BYTES);
  if (!bytes) throw unsound(`${source.name} has no file checkpoint, so it is not a published log`);
  const note = new TextDecoder().decode(bytes);
  try {
    return { note, ...parseCheckpoint(parseNote(note).text) };
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw unsound(`${source.name}/checkpoint is not a checkpoint: ${error.message}`);
  }
}

/** A partial bundle may be gone once the full one exists. */
async function readBundle(source: LogSource, number: number, size: number): Promise<LogLeaf[]> {
  const width = tileWidth({ level: 'entries', number }, size);
  const path = tilePath({ level: 'entries', number, width });
  const full = tilePath({ level: 'entries', number, width: TILE_WIDTH });
  const read = (file: string) => source.read(file, MAX_BUNDLE_BYTES);
  const bytes = (await read(path)) ?? (await read(full));
  if (!bytes) throw unsound(`${source.name} has no ${path}, so it is incomplete`);
  return entriesIn(bytes, `${source.name}/${path}`)
    .slice(0, width)
    .map((entry, at) => {
      const index = number * TILE_WIDTH + at + 1;
      const leaf = readEntryText(new TextDecoder().decode(entry));
      if (leaf?.index === index) return leaf;
      throw unsound(
        `${source.name}/${path} was changed: entry ${index} in it is not an entry of a log`,
      );
    });
}

function entriesIn(bytes: Uint8Array, name: string): Uint8Array[] {
  try {
    return decodeBundle(bytes);
  } catch (error) {
    if (!(error instanceof TlogError)) throw error;
    throw unsound(`${name} was changed: ${error.message}`);
  }
}

function unsound(message: string): BackupError {
  return new BackupError('unsound', `${message}. Nothing was changed`);
}
