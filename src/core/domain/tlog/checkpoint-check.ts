import type { Verify } from '../signing/ed25519.ts';
import { type Checkpoint, parseCheckpoint } from './checkpoint.ts';
import { verifyCosignature } from './cosignature.ts';
import { type Note, parseNote, signatureBy, verifyNote } from './note.ts';
import { SIGNATURE_TYPES } from './note-key.ts';
import { type Policy, isQuorum } from './policy.ts';
import { NoteError } from './note-error.ts';

/** A checkpoint that meets a policy. */
export interface CheckedCheckpoint extends Checkpoint {
  /** When each witness cosigned it, in seconds since 1970, by its name in the policy. */
  cosigned: ReadonlyMap<string, number>;
}

/**
 * Checks a checkpoint against a policy: a log of the policy signed it under its own name, and the quorum of witnesses
 * cosigned it. Signatures by unknown keys are ignored.
 *
 * @throws {NoteError} `note_invalid` or `checkpoint_invalid` if it is malformed, `signature_missing` if no log of the
 *   policy signed it, `signature_invalid` if a signature by a known key is wrong, `quorum_missing` if too few
 *   witnesses cosigned it.
 */
export async function checkCheckpoint(
  text: string,
  policy: Policy,
  verify: Verify,
): Promise<CheckedCheckpoint> {
  const note = parseNote(text);
  const checkpoint = parseCheckpoint(note.text);
  await verifyOrigin(note, checkpoint.origin, policy, verify);
  const cosigned = await cosignersOf(note, policy, verify);
  if (!isQuorum(policy.quorum, new Set(cosigned.keys()))) {
    const message = `Too few witnesses of the policy cosigned the checkpoint: ${cosigned.size}`;
    throw new NoteError('quorum_missing', message);
  }
  return { ...checkpoint, cosigned };
}

/** The policy may have several keys of a log, such as while it changes its key. */
async function verifyOrigin(
  note: Note,
  origin: string,
  { logs }: Policy,
  verify: Verify,
): Promise<void> {
  const signers = logs.filter(({ key }) => {
    const isOfLog = key.name === origin && key.type === SIGNATURE_TYPES.ed25519;
    return isOfLog && signatureBy(key, note) !== null;
  });
  for (const { key } of signers) await verifyNote(note, key, verify);
  if (signers.length > 0) return;
  throw new NoteError('signature_missing', `No key of the policy signed for the log ${origin}`);
}

async function cosignersOf(
  note: Note,
  { witnesses }: Policy,
  verify: Verify,
): Promise<Map<string, number>> {
  const cosigned = new Map<string, number>();
  for (const [name, { key }] of witnesses) {
    const seconds = await verifyCosignature(note, key, verify);
    if (seconds !== null) cosigned.set(name, seconds);
  }
  return cosigned;
}
