/**
 * Proofs as texts: that an entry is in the tree of a checkpoint, and that the tree extends an earlier one. Both end with
 * the checkpoint, so they can be verified offline.
 *
 * @see {@link https://c2sp.org/tlog-proof | C2SP tlog-proof, text of 2026-05-22} for inclusion
 * @see {@link https://c2sp.org/tlog-witness@v1.0.0 | C2SP tlog-witness v1.0.0}, whose request is the consistency proof
 * @module
 */
import { fromBase64, toBase64 } from '../text/base64.ts';
import type { Sha256 } from '../signing/dsse.ts';
import type { Verify } from '../signing/ed25519.ts';
import { type CheckedCheckpoint, checkCheckpoint } from './checkpoint-check.ts';
import { parseCount, parseHash } from './checkpoint.ts';
import { NoteError, type NoteErrorCode } from './note-error.ts';
import type { Policy } from './policy.ts';
import { TlogError } from './tlog-error.ts';
import { type Hash, type TreeHead, isConsistent, leafHash, rootOfInclusion } from './tree.ts';

export interface LogProof {
  /** What the log adds, such as the entry's text; not covered by the proof. */
  extra: Uint8Array | null;
  /** The entry's index in the tree, starting at 0. */
  index: number;
  /** From the entry's sibling to the child of the root. At most 63. */
  path: Hash[];
  /** The signed checkpoint, as the log published it. */
  checkpoint: string;
}

export interface ConsistencyProof {
  oldSize: number;
  /** At most 63. */
  path: Hash[];
  /** The signed checkpoint of the newer tree. */
  checkpoint: string;
}

interface ProofTools {
  sha256: Sha256;
  verify: Verify;
}

const FIRST_LINE = 'c2sp.org/tlog-proof@v1';
const MAX_CHARACTERS = 1024 * 1024;
const MAX_HASHES = 63;

/** The text of an inclusion proof. */
export function logProofText({ extra, index, path, checkpoint }: LogProof): string {
  const lines = [FIRST_LINE, ...(extra ? [`extra ${toBase64(extra)}`] : []), `index ${index}`];
  return proofText(lines, path, checkpoint);
}

/** The text of a consistency proof. */
export function consistencyText({ oldSize, path, checkpoint }: ConsistencyProof): string {
  return proofText([`old ${oldSize}`], path, checkpoint);
}

/**
 * Parses an inclusion proof. Its checkpoint is not read yet.
 *
 * @throws {NoteError} `proof_invalid` if it is malformed or too large.
 */
export function parseLogProof(text: string): LogProof {
  const { lines, checkpoint } = splitProof(text);
  if (lines[0] !== FIRST_LINE) throw invalid(`The first line must be ${FIRST_LINE}`, 1);
  const hasExtra = lines[1]?.startsWith('extra ') === true;
  const extra = hasExtra ? fromBase64(lines[1]?.slice('extra '.length) ?? '') : null;
  if (hasExtra && !extra) throw invalid('The extra data must be base64', 2);
  const at = hasExtra ? 2 : 1;
  const index = parseNumbered(lines[at], 'index', at + 1);
  return {
    extra: extra && new Uint8Array(extra),
    index,
    path: parsePath(lines, at + 1),
    checkpoint,
  };
}

/**
 * Parses a consistency proof. Its checkpoint is not read yet.
 *
 * @throws {NoteError} `proof_invalid` if it is malformed or too large.
 */
export function parseConsistency(text: string): ConsistencyProof {
  const { lines, checkpoint } = splitProof(text);
  return { oldSize: parseNumbered(lines[0], 'old', 1), path: parsePath(lines, 1), checkpoint };
}

/**
 * Checks that an entry is in a log: the checkpoint meets the policy, and its root follows from the entry and the path.
 *
 * @param entry The exact bytes of the entry.
 * @returns The checkpoint.
 * @throws {NoteError} of {@linkcode checkCheckpoint}, or `inclusion_invalid` if the entry is not in the tree.
 */
export async function checkInclusion(
  entry: Uint8Array,
  { index, path, checkpoint }: LogProof,
  policy: Policy,
  { sha256, verify }: ProofTools,
): Promise<CheckedCheckpoint> {
  const checked = await checkCheckpoint(checkpoint, policy, verify);
  const leaf = leafHash(entry, sha256);
  const root = orNoteError('inclusion_invalid', () => {
    return rootOfInclusion(leaf, { index, size: checked.size, path }, sha256);
  });
  if (Buffer.compare(root, checked.root) === 0) return checked;
  throw new NoteError('inclusion_invalid', `The tree does not have this entry at index ${index}`);
}

/**
 * Checks that a log extends an earlier tree: the newer checkpoint meets the policy, and both roots follow from the path.
 *
 * @returns The newer checkpoint.
 * @throws {NoteError} of {@linkcode checkCheckpoint}, or `consistency_invalid` if the log does not extend the tree.
 */
export async function checkConsistency(
  older: TreeHead,
  { oldSize, path, checkpoint }: ConsistencyProof,
  policy: Policy,
  { sha256, verify }: ProofTools,
): Promise<CheckedCheckpoint> {
  const checked = await checkCheckpoint(checkpoint, policy, verify);
  if (oldSize !== older.size) {
    const message = `The proof begins at size ${oldSize}, not at ${older.size}`;
    throw new NoteError('consistency_invalid', message);
  }
  const holds = orNoteError('consistency_invalid', () =>
    isConsistent(older, checked, path, sha256),
  );
  if (holds) return checked;
  const message = `The tree of size ${checked.size} does not extend the earlier one of size ${oldSize}`;
  throw new NoteError('consistency_invalid', message);
}

function orNoteError<Found>(code: NoteErrorCode, compute: () => Found): Found {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof TlogError)) throw error;
    throw new NoteError(code, error.message);
  }
}

function proofText(lines: readonly string[], path: readonly Hash[], checkpoint: string): string {
  return `${[...lines, ...path.map(toBase64)].join('\n')}\n\n${checkpoint}`;
}

function splitProof(text: string): { lines: string[]; checkpoint: string } {
  if (text.length > MAX_CHARACTERS)
    throw invalid(`A proof has at most ${MAX_CHARACTERS} characters`);
  const end = text.indexOf('\n\n');
  if (end === -1) throw invalid('An empty line must separate the proof from the checkpoint');
  return { lines: text.slice(0, end).split('\n'), checkpoint: text.slice(end + 2) };
}

function parseNumbered(line: string | undefined, name: string, number: number): number {
  const [word, digits = '', ...more] = line?.split(' ', 3) ?? [];
  const count = word === name && more.length === 0 ? parseCount(digits) : null;
  if (count === null) throw invalid(`The line must be "${name}" and a whole number`, number);
  return count;
}

function parsePath(lines: readonly string[], first: number): Hash[] {
  const texts = lines.slice(first);
  if (texts.length > MAX_HASHES) throw invalid(`A proof has at most ${MAX_HASHES} hashes`);
  return texts.map((text, at) => {
    const hash = parseHash(text);
    if (!hash) throw invalid('A hash must be the base64 of 32 bytes', first + at + 1);
    return hash;
  });
}

function invalid(message: string, line: number | null = null): NoteError {
  return new NoteError('proof_invalid', message, line);
}
