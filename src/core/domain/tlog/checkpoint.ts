/**
 * Checkpoints: notes that state the size and the root of a log's tree.
 *
 * @see {@link https://c2sp.org/tlog-checkpoint@v1.0.0 | C2SP tlog-checkpoint v1.0.0}
 * @module
 */
import { fromBase64, toBase64 } from '../text/base64.ts';
import { NoteError } from './note-error.ts';
import type { TreeHead } from './tree.ts';

/** The tree of a log at a size of at most 2^53-1. */
export interface Checkpoint extends TreeHead {
  /** The log's identity: 1 to 255 characters. */
  origin: string;
}

const MAX_ORIGIN = 255;

/** The text of a checkpoint, which is signed as a note. */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

/**
 * Parses the text of a note as a checkpoint. Extension lines are rejected, because this log has none and nobody can
 * check them.
 *
 * @throws {NoteError} `checkpoint_invalid` if it is malformed.
 */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', root = '', ...rest] = text.split('\n', 5);
  if (origin === '' || origin.length > MAX_ORIGIN)
    throw invalid('The origin is missing or too long', 1);
  const leaves = parseCount(size);
  if (leaves === null) throw invalid('The size must be a whole number without leading zeros', 2);
  const hash = parseHash(root);
  if (!hash) throw invalid('The root must be the base64 of 32 bytes', 3);
  if (rest.length !== 1 || rest[0] !== '') throw invalid('A checkpoint ends after three lines', 4);
  return { origin, size: leaves, root: hash };
}

/** Parses a whole number up to 2^53-1 without leading zeros; null for any other text. */
export function parseCount(text: string): number | null {
  if (!/^(?:0|[1-9][0-9]{0,15})$/.test(text)) return null;
  const count = Number(text);
  return Number.isSafeInteger(count) ? count : null;
}

/** Parses the base64 of 32 bytes; null for any other text. */
export function parseHash(text: string): Uint8Array | null {
  const bytes = text.length === 44 ? fromBase64(text) : null;
  // A copy, because decoded bytes may be part of a larger buffer.
  return bytes?.length === 32 ? new Uint8Array(bytes) : null;
}

function invalid(message: string, line: number): NoteError {
  return new NoteError('checkpoint_invalid', message, line);
}
