/** Reads the entries of a published log from a folder or an address with the paths of C2SP tlog-tiles. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogLeaf } from '#db/log.ts';
import { readEntryText } from '#core/domain/log/log-entry.ts';
import { MAX_BUNDLE_BYTES, decodeBundle } from '#core/domain/tlog/bundle.ts';
import { parseCheckpoint } from '#core/domain/tlog/checkpoint.ts';
import { NoteError } from '#core/domain/tlog/note-error.ts';
import { parseNote } from '#core/domain/tlog/note.ts';
import { TILE_WIDTH, tilePath, tileWidth } from '#core/domain/tlog/tile.ts';
import { TlogError } from '#core/domain/tlog/tlog-error.ts';
import { BackupError } from '../process/backup-error.ts';
import type { SignedCheckpoint } from '../public-log/checkpoint-file.ts';

const TIMEOUT_MS = 30_000;

export interface PublishedEntries {
  /** Its signature is not verified yet. */
  checkpoint: SignedCheckpoint;
  /** The entries after the given one, which may have been changed. */
  leaves: readonly LogLeaf[];
}

/**
 * Reads the checkpoint and the entries that a backup lacks.
 *
 * @param place A folder, or a URL that begins with `http:` or `https:`.
 * @param after The last entry that is not needed.
 * @throws {BackupError} `unsound` if something is missing or malformed, `disk` if it cannot be read now.
 */
export async function readPublishedEntries(
  place: string,
  after: number,
): Promise<PublishedEntries> {
  const checkpoint = await readCheckpoint(place);
  const leaves: LogLeaf[] = [];
  const { size } = checkpoint;
  for (let number = Math.floor(after / TILE_WIDTH); number * TILE_WIDTH < size; number += 1) {
    const entries = await readBundle(place, number, size);
    leaves.push(...entries.filter(({ index }) => index > after));
  }
  return { checkpoint, leaves };
}

async function readCheckpoint(place: string): Promise<SignedCheckpoint> {
  const bytes = await readFrom(place, 'checkpoint');
  if (!bytes) throw unsound(`${place} has no file checkpoint, so it is not a published log`);
  const note = new TextDecoder().decode(bytes);
  try {
    return { note, ...parseCheckpoint(parseNote(note).text) };
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw unsound(`${place}/checkpoint is not a checkpoint: ${error.message}`);
  }
}

/** A partial bundle may be gone once the full one exists. */
async function readBundle(place: string, number: number, size: number): Promise<LogLeaf[]> {
  const width = tileWidth({ level: 'entries', number }, size);
  const path = tilePath({ level: 'entries', number, width });
  const full = tilePath({ level: 'entries', number, width: TILE_WIDTH });
  const bytes = (await readFrom(place, path)) ?? (await readFrom(place, full));
  if (!bytes) throw unsound(`${place} has no ${path}, so it is incomplete`);
  return entriesIn(bytes, `${place}/${path}`)
    .slice(0, width)
    .map((entry, at) => {
      const index = number * TILE_WIDTH + at + 1;
      const leaf = readEntryText(new TextDecoder().decode(entry));
      if (leaf?.index === index) return leaf;
      throw unsound(`${place}/${path} was changed: entry ${index} in it is not an entry of a log`);
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

/** Null if there is no such file. */
async function readFrom(place: string, path: string): Promise<Uint8Array | null> {
  try {
    return isUrl(place) ? await download(`${place}/${path}`) : await readFile(join(place, path));
  } catch (error) {
    if (error instanceof BackupError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new BackupError('disk', `Cannot read ${place}/${path}: ${message}. Nothing was changed`);
  }
}

export function isUrl(place: string): boolean {
  return /^https?:\/\//.test(place);
}

async function download(url: string): Promise<Uint8Array | null> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (response.status === 404) return null;
  if (!response.ok) {
    throw new BackupError('disk', `${url} returned ${response.status}. Nothing was changed`);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > MAX_BUNDLE_BYTES)
      throw unsound(`${url} is too large for a file of a published log`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function unsound(message: string): BackupError {
  return new BackupError('unsound', `${message}. Nothing was changed`);
}
