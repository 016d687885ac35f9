import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { OidcEntity } from '#db/oidc.ts';
import type { Store } from '#db/store.ts';
import { epochSeconds } from '#core/domain/counting/day.ts';
import { sha256Hex } from '#server/process/crypto.ts';

const DAY_S = 24 * 60 * 60;
/** How long a registered client is kept without a grant, and without use, in seconds. */
const NEW_CLIENT_S = DAY_S;
const UNUSED_CLIENT_S = 30 * DAY_S;

/**
 * Stores the provider's entities. The store sees only the SHA-256 of their IDs, so nobody who reads the
 * file can use them. IDs in the entities themselves are removed, and restored when they are read.
 *
 * @param resumeUrl The URL where an interaction continues, without its ID.
 * @param refuse Throws the provider's error for an entity that was already used.
 */
export function adapterOver(store: Store, resumeUrl: string, refuse: () => never) {
  return (kind: string): Adapter => {
    const restore = (entity: OidcEntity | undefined, id?: string): AdapterPayload | undefined => {
      if (!entity) return undefined;
      const payload = JSON.parse(entity.payload) as AdapterPayload;
      if (id !== undefined && kind !== 'Client') payload.jti = id;
      if (kind === 'Interaction') payload.returnTo = `${resumeUrl}/${id}`;
      if (entity.consumed_at !== null) payload['consumed'] = entity.consumed_at;
      return payload;
    };
    return {
      async upsert(id, payload, expiresIn) {
        const now = nowS();
        const { grantId, uid, clientId } = payload;
        const row = {
          kind,
          id_hash: sha256Hex(id),
          payload: JSON.stringify(withoutIds(payload)),
          grant_hash: grantId && kind !== 'Interaction' ? sha256Hex(grantId) : null,
          uid_hash: typeof uid === 'string' ? sha256Hex(uid) : null,
          account: accountOf(payload),
          expires_at: now + (expiresIn ?? NEW_CLIENT_S),
        };
        store.transaction(() => {
          store.oidc.put(row);
          if (clientId) store.oidc.keep('Client', sha256Hex(clientId), now + UNUSED_CLIENT_S);
        });
      },
      async find(id) {
        return restore(store.oidc.find(kind, sha256Hex(id), nowS()), id);
      },
      async findByUid(uid) {
        return restore(store.oidc.findByUid(kind, sha256Hex(uid), nowS()));
      },
      async findByUserCode() {
        return undefined;
      },
      async consume(id) {
        const id_hash = sha256Hex(id);
        const entity = store.oidc.find(kind, id_hash, nowS());
        if (store.oidc.consume(kind, id_hash, nowS())) return;
        // It was used twice at the same moment, so it may be stolen.
        const { grantId } = restore(entity, id) ?? {};
        if (grantId) store.oidc.revokeGrant(sha256Hex(grantId));
        refuse();
      },
      async destroy(id) {
        store.oidc.remove(kind, sha256Hex(id));
      },
      async revokeByGrantId(grantId) {
        store.oidc.removeOfGrant(kind, sha256Hex(grantId));
      },
    };
  };
}

/** The provider uses the system clock for expiry, so the adapter does too. */
function nowS(): number {
  return epochSeconds(new Date());
}

function withoutIds(payload: AdapterPayload): AdapterPayload {
  const kept: AdapterPayload = { ...payload };
  delete kept.jti;
  delete kept.returnTo;
  const { session } = kept;
  if (typeof session !== 'object' || session === null) return kept;
  const known: { cookie?: unknown } = { ...session };
  delete known.cookie;
  return Object.assign(kept, { session: known });
}

function accountOf({ accountId, session, result }: AdapterPayload): string | null {
  const held = session as { accountId?: string } | undefined;
  return accountId ?? result?.login?.accountId ?? held?.accountId ?? null;
}
