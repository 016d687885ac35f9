import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import type { JWK } from 'jose';
import type { Store } from '#db/store.ts';
import { sha256 } from '#server/process/crypto.ts';

/** What tokens are signed by. */
export const SIGNING_ALGORITHM = 'ES256';

const NAME = 'provider-key';

/** The key that the board's own provider signs with; made when it is first needed. */
export function openSigningKey(store: Store, now: Date): JWK {
  const known = store.secrets.byName(NAME);
  if (known) return jwkOf(known);
  store.secrets.add({ name: NAME, value: makeKey(), created_at: now.toISOString() });
  // Another process may have been quicker.
  return jwkOf(store.secrets.byName(NAME) as Uint8Array);
}

/** Without what must stay secret. */
export function publicJwk({ kty, crv, x, y, kid, alg, use }: JWK): JWK {
  return { kty, crv, x, y, kid, alg, use } as JWK;
}

function makeKey(): Uint8Array {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ format: 'der', type: 'pkcs8' });
}

function jwkOf(der: Uint8Array): JWK {
  const key = createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' });
  const { crv, kty, x, y, d } = key.export({ format: 'jwk' }) as Record<string, string>;
  const kid = Buffer.from(sha256(Buffer.from(JSON.stringify({ crv, kty, x, y })))).toString(
    'base64url',
  );
  return { kty, crv, x, y, d, kid, alg: SIGNING_ALGORITHM, use: 'sig' } as JWK;
}
