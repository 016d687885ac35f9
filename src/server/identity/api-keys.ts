import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { ApiKeyRow } from '#db/api-keys.ts';
import type { Store } from '#db/store.ts';
import { randomSecret, sha256Hex } from '../process/crypto.ts';

/** What a key allows. */
export type ApiKey = Pick<ApiKeyRow, 'id' | 'per_minute'>;

/** A key as its owner sends it: `ob_`, 12 hex digits that name it, `_`, and its secret. */
const API_KEY = /^ob_([0-9a-f]{12})_([A-Za-z0-9_-]{43})$/;

/** A new key: what is stored of it, and its text, which nobody can make out later. */
export function makeApiKey(): { id: string; secret_hash: string; text: string } {
  const id = randomBytes(6).toString('hex');
  const secret = randomSecret();
  return { id, secret_hash: sha256Hex(secret), text: `ob_${id}_${secret}` };
}

/** What a key's text allows, or null if it is no key that can be used. */
export function readApiKey(store: Store, text: string): ApiKey | null {
  const [, id = '', secret = ''] = API_KEY.exec(text) ?? [];
  const row = id === '' ? undefined : store.apiKeys.byId(id);
  if (!row) return null;
  const holds = timingSafeEqual(Buffer.from(sha256Hex(secret)), Buffer.from(row.secret_hash));
  const { per_minute, revoked_at } = row;
  return holds && revoked_at === null ? { id, per_minute } : null;
}
