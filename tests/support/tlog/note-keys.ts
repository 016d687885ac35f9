import { generateKeyPairSync } from 'node:crypto';
import { type Checkpoint, checkpointText } from '#core/domain/tlog/checkpoint.ts';
import { cosign } from '#core/domain/tlog/cosignature.ts';
import { SIGNATURE_TYPES, noteKey, vkeyOf } from '#core/domain/tlog/note-key.ts';
import { noteOf, signNote } from '#core/domain/tlog/note.ts';
import { sha256, signEd25519 } from '#server/process/crypto.ts';

export type TestLog = ReturnType<typeof aLogKey>;
export type TestWitness = ReturnType<typeof aWitness>;

function aKey(name: string, type: number) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const key = noteKey(name, type, new Uint8Array(raw), sha256);
  return { key, sign: (message: Uint8Array) => signEd25519(message, privateKey) };
}

/** A log with a new key. */
export function aLogKey(name = 'board.example/log') {
  const { key, sign } = aKey(name, SIGNATURE_TYPES.ed25519);
  return { key, vkey: vkeyOf(key), sign: (text: string) => signNote(text, key, sign) };
}

/** A witness with a new key. */
export function aWitness(name = 'witness.example/w1') {
  const { key, sign } = aKey(name, SIGNATURE_TYPES.cosignature);
  return {
    key,
    vkey: vkeyOf(key),
    cosign: (text: string, seconds: number) => cosign(text, key, { sign, seconds }),
  };
}

/** A checkpoint that a log signed, and witnesses cosigned in the second 1,800,000,000. */
export function signedCheckpoint(
  checkpoint: Checkpoint,
  log: TestLog,
  witnesses: readonly TestWitness[] = [],
): string {
  const text = checkpointText(checkpoint);
  const cosigned = witnesses.map((witness) => witness.cosign(text, 1_800_000_000));
  return noteOf(text, [log.sign(text), ...cosigned]);
}
