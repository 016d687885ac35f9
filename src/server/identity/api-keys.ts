import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { ApiKeyRow } from '#db/secrets.ts';
import type { Store } from '#db/store.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { parseAs } from '#core/domain/text/faults.ts';
import { OwnLabel } from '#core/schema/scalars.ts';
import type { AppContext } from '../context.ts';
import { type Actor, audit } from '../process/admin-actions.ts';
import { randomSecret, sha256Hex } from '../process/crypto.ts';

export type ApiKey = Pick<ApiKeyRow, 'id' | 'per_minute'>;

/** The text of a key: `ob_`, its ID of 12 hex digits, `_`, and its secret. */
const API_KEY = /^ob_([0-9a-f]{12})_([A-Za-z0-9_-]{43})$/;

/** A new key: the values to store, and its text, which cannot be recovered from them. */
export function makeApiKey(): { id: string; secret_hash: string; text: string } {
  const id = randomBytes(6).toString('hex');
  const secret = randomSecret();
  return { id, secret_hash: sha256Hex(secret), text: `ob_${id}_${secret}` };
}

/** The key that a text belongs to; null if it is unknown or revoked. */
export function readApiKey(store: Store, text: string): ApiKey | null {
  const [, id = '', secret = ''] = API_KEY.exec(text) ?? [];
  const row = id === '' ? undefined : store.apiKeys.byId(id);
  if (!row) return null;
  const holds = timingSafeEqual(Buffer.from(sha256Hex(secret)), Buffer.from(row.secret_hash));
  const { per_minute, revoked_at } = row;
  return holds && revoked_at === null ? { id, per_minute } : null;
}

interface ApiKeyRequest {
  /** What the key is for, as the admin's list shows it. */
  label: string;
  per_minute: number;
  now: Date;
  by?: Actor;
}

/** Creates an API key and returns its text. Only a hash of it is stored. */
export function issueApiKey(store: AppContext['store'], request: ApiKeyRequest): string {
  const label = parseAs(OwnLabel, request.label, 'The label');
  const { text, ...key } = makeApiKey();
  const { per_minute, now, by } = request;
  store.transaction(() => {
    store.apiKeys.add({ ...key, label, per_minute, created_at: now.toISOString() });
    const about = { subject: key.id, operator_id: null, reason: label };
    audit(store, { action: 'key_issue', ...about, now, by });
  });
  return text;
}

/** Revokes an API key. Does nothing if it is already revoked. */
export function revokeApiKey(store: AppContext['store'], id: string, now: Date, by?: Actor): void {
  store.transaction(() => {
    if (!store.apiKeys.revoke(id, now.toISOString())) {
      throw new DomainError('not_found', `There is no API key with the ID "${id}"`);
    }
    const about = { subject: id, operator_id: null, reason: null };
    audit(store, { action: 'key_revoke', ...about, now, by });
  });
}
