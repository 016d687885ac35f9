import { createHash } from 'node:crypto';
import { isSoundPublicKey } from '#core/domain/signing/ed25519.ts';
import { sha256, verifyEd25519 } from '../process/crypto.ts';

/** What a check of the log computes with. */
export const CHECK_TOOLS = {
  sha256,
  verify: verifyEd25519,
  isSoundPublicKey,
  createHash: () => createHash('sha256'),
};
