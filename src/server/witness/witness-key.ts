/**
 * The key with which the board cosigns checkpoints of other logs. It is outside the database, in the folder of the
 * checkpoints that it cosigned. So no older copy of the database has a witness that forgot what it cosigned.
 */
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '#db/engine/make-folder.ts';
import { isLoopbackAddress } from '#core/domain/account/loopback.ts';
import { cosign } from '#core/domain/tlog/cosignature.ts';
import { SIGNATURE_TYPES, noteKey, vkeyOf } from '#core/domain/tlog/note-key.ts';
import type { NoteSignature } from '#core/domain/tlog/note.ts';
import { type Config, witnessFolder } from '../config/config.ts';
import { replaceFile } from '../process/atomic-file.ts';
import { privateKeyObject, sha256, signEd25519 } from '../process/crypto.ts';

export interface WitnessKey {
  /** The name of the witness in cosignatures. */
  name: string;
  /** The public key as text. */
  vkey: string;
  /**
   * Cosigns the text of a checkpoint.
   *
   * @param seconds The current time, in seconds since 1970.
   */
  cosign(text: string, seconds: number): NoteSignature;
}

/** What is stored: the name, and both keys in base64. */
interface StoredKey {
  name: string;
  secret_key: string;
  public_key: string;
}

type Folder = Pick<Config, 'dataDir'>;

/** Where other boards send their checkpoints: the submission prefix. */
export function witnessUrl(baseUrl: string): string {
  return `${baseUrl}/witness`;
}

/** Opens the key, and creates it at first use. Its name comes from the public URL of that time and never changes, unless that was a loopback address. */
export function openWitnessKey(config: Folder, baseUrl: string): WitnessKey {
  const { host, hostname } = new URL(baseUrl);
  const known = readWitnessKey(config);
  const isProvisional =
    known !== null && isLoopbackAddress(new URL(`http://${known.name}`).hostname);
  if (known && !(isProvisional && !isLoopbackAddress(hostname))) return known;
  const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const inBase64 = (text: string) => Buffer.from(text, 'base64url').toString('base64');
  const stored = { name: `${host}/witness`, secret_key: inBase64(d), public_key: inBase64(x) };
  makeFolder(witnessFolder(config), 0o700);
  replaceFile(keyPath(config), JSON.stringify(stored));
  return witnessKey(stored);
}

/** The key; null if this board was never a witness. */
export function readWitnessKey(config: Folder): WitnessKey | null {
  try {
    return witnessKey(JSON.parse(readFileSync(keyPath(config), 'utf8')) as StoredKey);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function keyPath(config: Folder): string {
  return join(witnessFolder(config), 'key');
}

function witnessKey({ name, secret_key, public_key }: StoredKey): WitnessKey {
  const [secret, publicKey] = [
    Buffer.from(secret_key, 'base64'),
    Buffer.from(public_key, 'base64'),
  ];
  const key = noteKey(name, SIGNATURE_TYPES.cosignature, publicKey, sha256);
  const privateKey = privateKeyObject(secret, publicKey);
  const sign = (message: Uint8Array) => signEd25519(message, privateKey);
  return {
    name,
    vkey: vkeyOf(key),
    cosign: (text, seconds) => cosign(text, key, { sign, seconds }),
  };
}
