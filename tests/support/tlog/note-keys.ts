import { generateKeyPair, signerOf } from '#core/domain/signing/ed25519.ts';
import { type Checkpoint, checkpointText } from '#core/domain/tlog/checkpoint.ts';
import { cosign } from '#core/domain/tlog/cosignature.ts';
import { SIGNATURE_TYPES, noteKey, vkeyOf } from '#core/domain/tlog/note-key.ts';
import { noteOf, signNote } from '#core/domain/tlog/note.ts';
import { sha256 } from '#server/process/crypto.ts';

export type TestLog = Awaited<ReturnType<typeof aLogKey>>;
export type TestWitness = Awaited<ReturnType<typeof aWitness>>;

/** A log with a new key. */
export async function aLogKey(name = 'board.example/log') {
  const { secretKey, publicKey } = await generateKeyPair();
  const key = noteKey(name, SIGNATURE_TYPES.ed25519, publicKey, sha256);
  return {
    key,
    vkey: vkeyOf(key),
    sign: (text: string) => signNote(text, key, signerOf(secretKey)),
  };
}

/** A witness with a new key. */
export async function aWitness(name = 'witness.example/w1') {
  const { secretKey, publicKey } = await generateKeyPair();
  const key = noteKey(name, SIGNATURE_TYPES.cosignature, publicKey, sha256);
  const sign = signerOf(secretKey);
  return {
    key,
    vkey: vkeyOf(key),
    cosign: (text: string, seconds: number) => cosign(text, key, { sign, seconds }),
  };
}

/** A checkpoint that a log signed, and witnesses cosigned in the second 1,800,000,000. */
export async function signedCheckpoint(
  checkpoint: Checkpoint,
  log: TestLog,
  witnesses: readonly TestWitness[] = [],
): Promise<string> {
  const text = checkpointText(checkpoint);
  const cosigned = witnesses.map((witness) => witness.cosign(text, 1_800_000_000));
  return noteOf(text, await Promise.all([log.sign(text), ...cosigned]));
}
