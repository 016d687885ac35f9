/** Reads the policy file that names the witnesses of the board's log. */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { type NoteKey, SIGNATURE_TYPES } from '#core/domain/tlog/note-key.ts';
import { NoteError } from '#core/domain/tlog/note-error.ts';
import { type PolicyKey, type Quorum, parsePolicy } from '#core/domain/tlog/policy.ts';
import { sha256 } from '../process/crypto.ts';

export interface Witness {
  /** The name in the policy. */
  name: string;
  key: NoteKey;
  /** The submission prefix, without a slash at the end. */
  url: string;
}

export interface WitnessPolicy {
  witnesses: readonly Witness[];
  quorum: Quorum;
}

/** Reads a policy file as a value of a setting. Lines of logs have no effect, because the board has only its own log. */
export function readWitnessPolicy(path: string, check: z.RefinementCtx): WitnessPolicy {
  try {
    const { witnesses, quorum } = parsePolicy(readFileSync(path, 'utf8'), sha256);
    return { witnesses: [...witnesses].map(witnessOf), quorum };
  } catch (error) {
    check.addIssue(faultOf(error));
    return z.NEVER;
  }
}

/** @throws {NoteError} if the board cannot ask the witness or cannot verify its cosignatures. */
function witnessOf([name, { key, url }]: readonly [string, PolicyKey]): Witness {
  if (key.type !== SIGNATURE_TYPES.cosignature) {
    throw new NoteError('policy_invalid', `The witness ${name} needs a key of type 4 (Ed25519)`);
  }
  if (url === null || !/^https?:\/\/[^/?#]/.test(url) || !URL.canParse(url)) {
    throw new NoteError('policy_invalid', `The witness ${name} needs an http or https URL`);
  }
  return { name, key, url: url.replace(/\/+$/, '') };
}

function faultOf(error: unknown): string {
  if (error instanceof NoteError) return `The policy is invalid. ${error.message}`;
  return `The file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`;
}
