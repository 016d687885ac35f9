/** The key of the log's checkpoints. It is not the board's key, so that each can be replaced without the other. */
import { generateKeyPairSync } from 'node:crypto';
import type { Store } from '#db/store.ts';
import { isLoopbackAddress } from '#core/domain/account/loopback.ts';
import { generationOf } from '#core/domain/tlog/log-path.ts';
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

/** A log that a restore could not continue. */
export interface EarlierLog {
  generation: number;
  /** How many entries the current log has in common with it. */
  size: number;
}

interface LogKeyOptions {
  boardKey: BoardKey;
  now: Date;
}

/** What is stored: origin, private and public key, in base64. */
interface StoredKey {
  origin: string;
  secret_key: string;
  public_key: string;
  /** If the key began a new log: how many entries that log took over. */
  shared?: number;
}

type ReadSecret = (name: string) => Uint8Array | undefined;

/**
 * Opens the key of the log, and creates it at the first start. Its origin comes from the public URL of that time and
 * never changes, because others know the log by it. The only exception is an origin with a loopback address, which many
 * boards share: once the board has a public URL, it gets an origin and a key for good.
 */
export function openLogKey(store: Store, options: LogKeyOptions & { baseUrl: string }): LogKey {
  const { host, hostname } = new URL(options.baseUrl);
  return store.transaction(() => {
    const last = storedKeys(store.secrets.byName).at(-1);
    const isFinal = last && (!isProvisional(last) || isLoopbackAddress(hostname));
    if (isFinal) return logKey(last);
    return makeKey(store, { ...options, origin: originOf(host, generationOf(last?.origin ?? '')) });
  });
}

/** The keys of a board's log, oldest first. The last one signs. */
export function logKeysIn(read: ReadSecret): LogKey[] {
  return storedKeys(read).map(logKey);
}

/** The key with which the board signs now; null before its first start. */
export function currentLogKey(store: Store): LogKey | null {
  return logKeysIn(store.secrets.byName).at(-1) ?? null;
}

/**
 * Begins a new log with all entries so far, under a new origin and key. Only for a restored board that can no longer
 * continue the log that it published.
 *
 * @param options The origin of the log so far, and the generation of the new one.
 */
export function beginNewLog(
  store: Store,
  { origin, generation, ...options }: LogKeyOptions & { origin: string; generation: number },
): LogKey {
  const shared = store.log.head()?.index ?? 0;
  const [host = ''] = origin.split('/', 1);
  return makeKey(store, { ...options, origin: originOf(host, generation), shared });
}

/**
 * Takes over the keys that a board's log got after a backup, and enters them in the log again. The backup must belong
 * to the same board.
 *
 * @param read Reads the secrets of the board that has them.
 */
export function takeLogKeys(store: Store, read: ReadSecret, options: LogKeyOptions): void {
  const own = storedKeys(store.secrets.byName);
  const theirs = storedKeys(read);
  if (own.some(({ public_key }, at) => public_key !== theirs[at]?.public_key)) return;
  for (const key of theirs.slice(own.length)) storeKey(store, key, options);
}

/** The logs before the current one. */
export function earlierLogs({ secrets }: Pick<Store, 'secrets'>): EarlierLog[] {
  const keys = storedKeys(secrets.byName);
  const current = generationOf(keys.at(-1)?.origin ?? '');
  return Array.from({ length: current - 1 }, (_, at) => {
    const generation = at + 1;
    const isKnown = keys.some(({ origin }) => generationOf(origin) === generation);
    const later = keys.filter(({ origin }) => generationOf(origin) > generation);
    const shared = later.map((key) => key.shared ?? Infinity);
    return { generation, size: isKnown ? Math.min(...shared) : 0 };
  });
}

function originOf(host: string, generation: number): string {
  return generation === 1 ? `${host}/log` : `${host}/log/${generation}`;
}

/** Whether an origin has a loopback address, which many boards share. */
export function isProvisional({ origin }: Pick<LogKey, 'origin'>): boolean {
  return isLoopbackAddress(new URL(`http://${origin}`).hostname);
}

function storedKeys(read: ReadSecret): StoredKey[] {
  const keys: StoredKey[] = [];
  for (let value = read(nameOf(1)); value; value = read(nameOf(keys.length + 1))) {
    keys.push(JSON.parse(Buffer.from(value).toString()) as StoredKey);
  }
  return keys;
}

/** The name of a key in the table of secrets. */
function nameOf(number: number): string {
  return number === 1 ? 'log-key' : `log-key-${number}`;
}

function makeKey(
  store: Store,
  { origin, shared, ...options }: LogKeyOptions & { origin: string; shared?: number },
): LogKey {
  const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const inBase64 = (text: string) => Buffer.from(text, 'base64url').toString('base64');
  const keys = { secret_key: inBase64(d), public_key: inBase64(x) };
  return storeKey(store, { origin, ...keys, ...(shared !== undefined && { shared }) }, options);
}

function storeKey(store: Store, stored: StoredKey, { boardKey, now }: LogKeyOptions): LogKey {
  const key = logKey(stored);
  const statement: LogKeyStatement = { origin: key.origin, vkey: key.vkey };
  const bytes = new TextEncoder().encode(JSON.stringify(statement));
  const payload = boardKey.seal(LOG_KEY_PAYLOAD_TYPE, bytes);
  store.log.append({ kind: 'log-key', operator_id: null, payload, now });
  const name = nameOf(storedKeys(store.secrets.byName).length + 1);
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
