import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { ApiKeyRow } from '#db/secrets.ts';
import type { Store } from '#db/store.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { parseAs } from '#core/domain/text/faults.ts';
import { OwnLabel } from '#core/schema/scalars.ts';
import type { AppContext } from '../context.ts';
import { audit } from '../process/admin-actions.ts';
import { randomSecret, sha256Hex } from '../process/crypto.ts';

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

interface ApiKeyRequest {
  /** Whom or what it is for, as the admin's list shows it. */
  label: string;
  per_minute: number;
  now: Date;
}

/** Makes an API key and returns its text, of which only a hash is kept. */
export function issueApiKey(store: AppContext['store'], request: ApiKeyRequest): string {
  const label = parseAs(OwnLabel, request.label, 'The label');
  const { text, ...key } = makeApiKey();
  const { per_minute, now } = request;
  store.transaction(() => {
    store.apiKeys.add({ ...key, label, per_minute, created_at: now.toISOString() });
    audit(store, { action: 'key_issue', subject: key.id, operator_id: null, reason: label, now });
  });
  return text;
}

/** Revokes an API key; from now on it is refused. Revoking it again changes nothing. */
export function revokeApiKey(store: AppContext['store'], id: string, now: Date): void {
  store.transaction(() => {
    if (!store.apiKeys.revoke(id, now.toISOString())) {
      throw new DomainError('not_found', `There is no API key with the id "${id}"`);
    }
    audit(store, { action: 'key_revoke', subject: id, operator_id: null, reason: null, now });
  });
}
