/** The key of the log's checkpoints. It is not the board's key, so that each can be replaced without the other. */
import { generateKeyPairSync } from 'node:crypto';
import type { Store } from '#db/store.ts';
import { isLoopbackAddress } from '#core/domain/account/loopback.ts';
import { type NoteKey, SIGNATURE_TYPES, noteKey, vkeyOf } from '#core/domain/tlog/note-key.ts';
import { type NoteSignature, signNote } from '#core/domain/tlog/note.ts';
import { LOG_KEY_PAYLOAD_TYPE, type LogKeyStatement } from '#core/schema/log-payload.ts';
import { privateKeyObject, sha256, signEd25519 } from '../process/crypto.ts';
import type { BoardKey } from './board-key.ts';

export interface LogKey {
  /** The log's name in checkpoints, which is also the name of the key. */
  origin: string;
  /** The public key as text. */
  vkey: string;
  /** Signs the text of a note. */
  sign(text: string): NoteSignature;
}

interface LogKeyOptions {
  baseUrl: string;
  boardKey: BoardKey;
  now: Date;
}

/** The name in the table of secrets. A later key of the log has another one. */
type SecretName = 'log-key' | 'log-key-2';

/**
 * Opens the key of the log, and creates it at the first start. Its origin comes from the public URL of that time and
 * never changes, because others know the log by it. The only exception is an origin with a loopback address, which many
 * boards share: once the board has a public URL, it gets an origin and a key for good.
 */
export function openLogKey(store: Store, options: LogKeyOptions): LogKey {
  const { host, hostname } = new URL(options.baseUrl);
  return store.transaction(() => {
    const [first, second] = [readKey(store, 'log-key'), readKey(store, 'log-key-2')];
    const isProvisional = first !== null && isLoopbackAddress(hostnameOf(first.origin));
    if (second) return second;
    if (first && !(isProvisional && !isLoopbackAddress(hostname))) return first;
    return makeKey(store, { ...options, origin: `${host}/log` }, first ? 'log-key-2' : 'log-key');
  });
}

/** The key with which the board signs now; null before its first start. */
export function currentLogKey(store: Store): LogKey | null {
  return readKey(store, 'log-key-2') ?? readKey(store, 'log-key');
}

function hostnameOf(origin: string): string {
  return new URL(`http://${origin}`).hostname;
}

/** What is stored: origin, private and public key, in base64. */
interface StoredKey {
  origin: string;
  secret_key: string;
  public_key: string;
}

function readKey(store: Store, name: SecretName): LogKey | null {
  const value = store.secrets.byName(name);
  return value ? logKey(JSON.parse(Buffer.from(value).toString()) as StoredKey) : null;
}

function makeKey(
  store: Store,
  { origin, boardKey, now }: LogKeyOptions & { origin: string },
  name: SecretName,
): LogKey {
  const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const inBase64 = (text: string) => Buffer.from(text, 'base64url').toString('base64');
  const stored: StoredKey = { origin, secret_key: inBase64(d), public_key: inBase64(x) };
  const key = logKey(stored);
  const statement: LogKeyStatement = { origin, vkey: key.vkey };
  const bytes = new TextEncoder().encode(JSON.stringify(statement));
  const payload = boardKey.seal(LOG_KEY_PAYLOAD_TYPE, bytes);
  store.log.append({ kind: 'log-key', operator_id: null, payload, now });
  const value = Buffer.from(JSON.stringify(stored));
  store.secrets.add({ name, value, created_at: now.toISOString() });
  return key;
}

function logKey({ origin, secret_key, public_key }: StoredKey): LogKey {
  const [secret, publicKey] = [
    Buffer.from(secret_key, 'base64'),
    Buffer.from(public_key, 'base64'),
  ];
  const key: NoteKey = noteKey(origin, SIGNATURE_TYPES.ed25519, publicKey, sha256);
  const privateKey = privateKeyObject(secret, publicKey);
  const sign = (message: Uint8Array) => signEd25519(message, privateKey);
  return { origin, vkey: vkeyOf(key), sign: (text) => signNote(text, key, sign) };
}
