/** The checkpoint of a mirror: the largest one that it verified completely. It is in two files, in case one is damaged. */
import { StoreError } from '#db/engine/store-error.ts';
import { type Checkpoint, parseCheckpoint } from '#core/domain/tlog/checkpoint.ts';
import { NoteError } from '#core/domain/tlog/note-error.ts';
import type { NoteKey } from '#core/domain/tlog/note-key.ts';
import { parseNote, verifyNote } from '#core/domain/tlog/note.ts';
import { verifyEd25519 } from '../process/crypto.ts';
import type { MirrorFolder } from './folder.ts';
import { MirrorFault } from './mirror-error.ts';

export const CHECKPOINT_FILE = 'log/checkpoint';
const COPY = 'checkpoint.copy';

/** A checkpoint that the key of the log signed, and its text. */
export interface SignedHead extends Checkpoint {
  note: string;
}

/**
 * Verifies a checkpoint.
 *
 * @throws {MirrorFault} if it is malformed, or not signed by the key under the key's name.
 */
export async function verifyHead(bytes: Uint8Array, key: NoteKey): Promise<SignedHead> {
  try {
    const note = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const parsed = parseNote(note);
    const checkpoint = parseCheckpoint(parsed.text);
    if (checkpoint.origin !== key.name) {
      const message = `is of the log ${checkpoint.origin}, not of ${key.name}`;
      throw new MirrorFault(CHECKPOINT_FILE, message);
    }
    await verifyNote(parsed, key, verifyEd25519);
    return { ...checkpoint, note };
  } catch (error) {
    if (error instanceof NoteError) {
      throw new MirrorFault(CHECKPOINT_FILE, `cannot be trusted: ${error.message}`);
    }
    if (!(error instanceof TypeError)) throw error;
    throw new MirrorFault(CHECKPOINT_FILE, 'is not UTF-8');
  }
}

/**
 * Reads the checkpoint of a mirror; null for a new mirror.
 *
 * @throws {StoreError} `damaged` if both files are damaged, because then nobody knows what the mirror has seen.
 */
export async function readTrusted(folder: MirrorFolder, key: NoteKey): Promise<SignedHead | null> {
  let best: SignedHead | null = null;
  let isDamaged = false;
  for (const name of [CHECKPOINT_FILE, COPY]) {
    const bytes = folder.read(name);
    if (!bytes) continue;
    const head = await verifyHead(bytes, key).catch((error: unknown) => {
      if (!(error instanceof MirrorFault)) throw error;
      return null;
    });
    isDamaged ||= head === null;
    if (head && head.size >= (best?.size ?? 0)) best = head;
  }
  if (best || !isDamaged) return best;
  const message = `The checkpoint in ${folder.path} is damaged. Mirror the board again, in an empty folder`;
  throw new StoreError('damaged', message);
}

/** Makes a checkpoint the one of the mirror. Everything that it refers to becomes durable first. */
export function writeTrusted(folder: MirrorFolder, { note }: SignedHead): void {
  for (const name of [COPY, CHECKPOINT_FILE]) {
    if (folder.read(name)?.toString() === note) continue;
    folder.sync();
    folder.write(name, note);
  }
  folder.sync();
}
