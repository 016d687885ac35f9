/** The key that encrypts members' email addresses. It is not in the database, so that a backup does not contain it. */
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { AppContext } from '../context.ts';
import { seal, unseal } from '../process/secrets.ts';

const KEY_BYTES = 32;

type KeyPlace = Pick<AppContext['config'], 'dataDir'>;

export function mailKeyPath({ dataDir }: KeyPlace): string {
  return join(dataDir, 'mail.key');
}

/** Encrypts an address for one account. Creates the key on first use. */
export function sealAddress(config: KeyPlace, address: string, public_id: string): Uint8Array {
  const key = readKey(config) ?? createKey(config);
  return seal(key, address, contextOf(public_id));
}

/** Returns the address; null if the key is another one or missing, or the row belongs to another account. */
export function openAddress(
  config: KeyPlace,
  sealed: Uint8Array,
  public_id: string,
): string | null {
  const key = readKey(config);
  return key && unseal(key, sealed, contextOf(public_id));
}

function contextOf(public_id: string): string {
  return `member mail ${public_id}`;
}

function readKey(config: KeyPlace): Uint8Array | null {
  try {
    const key = Buffer.from(readFileSync(mailKeyPath(config), 'utf8').trim(), 'base64url');
    if (key.length === KEY_BYTES) return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  throw new Error(`${mailKeyPath(config)} is not a key. Move it away to create a new one.`);
}

function createKey(config: KeyPlace): Uint8Array {
  const key = randomBytes(KEY_BYTES);
  const file = openSync(mailKeyPath(config), 'wx', 0o600);
  try {
    writeSync(file, `${key.toString('base64url')}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return key;
}
