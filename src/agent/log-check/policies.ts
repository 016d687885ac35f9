/** Which keys and witnesses this device trusts. */
import { join } from 'node:path';
import { type Policy, type Quorum, isQuorum, parsePolicy } from '#core/domain/tlog/policy.ts';
import { NoteError } from '#core/domain/tlog/note-error.ts';
import type { NoteKey } from '#core/domain/tlog/note-key.ts';
import { EXIT, Failure } from '../failure.ts';
import { readText } from '../state/atomic-file.ts';
import type { Keystore } from '../state/keystore.ts';
import { sha256 } from '../state/sha256.ts';
import { isSoundPublicKey, verifyEd25519 } from '../state/signatures.ts';

export const PROOF_TOOLS = {
  sha256,
  verify: (message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array) =>
    isSoundPublicKey(publicKey) && verifyEd25519(message, signature, publicKey),
};

const NONE: Quorum = { threshold: 0, members: [] };
const NO_WITNESSES: Policy = { logs: [], witnesses: new Map(), quorum: NONE };

/** The file with the witnesses that the person knows. */
export function ownPolicyPath({ folder }: Keystore): string {
  return join(folder, 'witnesses.policy');
}

/**
 * The person's own policy. A list from the board would let its admin name accomplices.
 *
 * @throws {Failure} if the file is not a policy.
 */
export function ownPolicy(keystore: Keystore): Policy {
  return readPolicy(ownPolicyPath(keystore)) ?? NO_WITNESSES;
}

/**
 * A policy in a file; null if there is no such file.
 *
 * @throws {Failure} if it is not a policy.
 */
export function readPolicy(path: string): Policy | null {
  const text = readText(path);
  try {
    return text === null ? null : parsePolicy(text, sha256);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw new Failure(EXIT.usage, `${path} is not a policy: ${error.message}`);
  }
}

/** Whether a policy requires cosignatures. */
export function requiresWitnesses({ quorum }: Policy): boolean {
  return !isQuorum(quorum, new Set());
}

/** A policy that trusts these logs, with the witnesses of another one, of which it requires none. */
export function trusting(keys: readonly NoteKey[], { witnesses }: Policy): Policy {
  return { logs: keys.map((key) => ({ key, url: null })), witnesses, quorum: NONE };
}
