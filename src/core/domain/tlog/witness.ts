/**
 * The rules of a witness: which checkpoints of a log it cosigns, and what it answers to the others.
 *
 * @see {@link https://c2sp.org/tlog-witness@v1.0.0 | C2SP tlog-witness v1.0.0}
 * @module
 */
import type { Sha256 } from '../signing/dsse.ts';
import { type Checkpoint, parseCheckpoint } from './checkpoint.ts';
import { parseConsistency } from './log-proof.ts';
import { type Note, parseNote } from './note.ts';
import { TlogError } from './tlog-error.ts';
import { EMPTY_ROOT, type Hash, type TreeHead, isConsistent } from './tree.ts';

/** A request to cosign a checkpoint, whose signature is not verified yet. */
export interface WitnessRequest {
  /** The size of the tree that the log extends, which the witness must have cosigned last. */
  oldSize: number;
  path: Hash[];
  note: Note;
  checkpoint: Checkpoint;
}

/** Why a checkpoint is not cosigned. */
export interface WitnessRefusal {
  /** 409: the witness last cosigned another tree. 422: nothing proves that the checkpoint extends that tree. */
  status: 400 | 409 | 422;
  message: string;
}

/**
 * Parses the body of a request.
 *
 * @throws {NoteError} `proof_invalid`, `note_invalid` or `checkpoint_invalid` if it is malformed.
 */
export function parseWitnessRequest(text: string): WitnessRequest {
  const { oldSize, path, checkpoint: signed } = parseConsistency(text);
  const note = parseNote(signed);
  return { oldSize, path, note, checkpoint: parseCheckpoint(note.text) };
}

/**
 * Why a witness must not cosign a checkpoint; null if it may. Check the signature of the log before.
 *
 * @param latest The tree that the witness cosigned last; null if it never cosigned one of this log.
 */
export function witnessRefusal(
  { oldSize, path, checkpoint }: Pick<WitnessRequest, 'checkpoint' | 'oldSize' | 'path'>,
  latest: TreeHead | null,
  sha256: Sha256,
): WitnessRefusal | null {
  const older = latest ?? { size: 0, root: EMPTY_ROOT };
  if (oldSize > checkpoint.size) {
    return { status: 400, message: 'The old size is larger than the checkpoint' };
  }
  if (oldSize !== older.size) {
    return { status: 409, message: `The last cosigned checkpoint has ${older.size} entries` };
  }
  if (extendsTree(older, checkpoint, path, sha256)) return null;
  if (latest && oldSize === checkpoint.size && path.length === 0) {
    return { status: 409, message: 'The last cosigned checkpoint of this size has another root' };
  }
  return { status: 422, message: 'The proof does not show that the checkpoint extends the log' };
}

function extendsTree(older: TreeHead, newer: TreeHead, path: Hash[], sha256: Sha256): boolean {
  try {
    // Every root extends the empty tree, so the root of an empty tree must be checked by itself.
    const isSound = newer.size > 0 || Buffer.compare(newer.root, EMPTY_ROOT) === 0;
    return isSound && isConsistent(older, newer, path, sha256);
  } catch (error) {
    if (!(error instanceof TlogError)) throw error;
    return false;
  }
}
