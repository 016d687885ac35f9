import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import type { JWK } from 'jose';
import type { Store } from '#db/store.ts';
import { toBase64Url } from '#core/domain/text/base64.ts';
import { envelopeOf, keyIdOf, preAuthEncoding } from '#core/domain/signing/dsse.ts';
import { BOARD_KEY_PAYLOAD_TYPE } from '#core/schema/log-payload.ts';
import type { Envelope } from '#core/schema/snapshot.ts';
import { privateKeyObject, sha256, signEd25519 } from '../process/crypto.ts';

export interface BoardKey {
  keyid: string;
  public_key: string;
  seal(payloadType: string, payload: Uint8Array): Envelope;
}

/** The current signing key. The first start creates it and enters it in the log. */
export function openBoardKey(store: Store, now: Date): BoardKey {
  return store.transaction(() => {
    const [newest] = store.boardKeys.all();
    return newest
      ? boardKey(newest.keyid, newest.public_key, newest.secret_key)
      : makeKey(store, now);
  });
}

function makeKey(store: Store, now: Date): BoardKey {
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const publicKey = Buffer.from(x as string, 'base64url');
  const secretKey = Buffer.from(d as string, 'base64url');
  const keyid = keyIdOf(publicKey, sha256);
  const key = boardKey(keyid, publicKey, secretKey);
  const statement = { keyid, public_key: key.public_key, previous: null };
  const payload = new TextEncoder().encode(JSON.stringify(statement));
  const { log_index, received_at } = store.log.append({
    kind: 'board-key',
    operator_id: null,
    payload: key.seal(BOARD_KEY_PAYLOAD_TYPE, payload),
    now,
  });
  store.boardKeys.add({
    keyid,
    public_key: publicKey,
    secret_key: secretKey,
    log_index,
    created_at: received_at,
  });
  return key;
}

function boardKey(keyid: string, publicKey: Uint8Array, secretKey: Uint8Array): BoardKey {
  const key = privateKeyObject(secretKey, publicKey);
  return {
    keyid,
    public_key: toBase64Url(publicKey),
    seal(payloadType, payload) {
      const signature = signEd25519(preAuthEncoding(payloadType, payload), key);
      return envelopeOf(payloadType, payload, keyid, signature);
    },
  };
}

export const SIGNING_ALGORITHM = 'ES256';

const SIGNING_KEY_NAME = 'provider-key';

/** The signing key of the board's own provider, created on first use. */
export function openSigningKey(store: Store, now: Date): JWK {
  const known = store.secrets.byName(SIGNING_KEY_NAME);
  if (known) return jwkOf(known);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const value = privateKey.export({ format: 'der', type: 'pkcs8' });
  store.secrets.add({ name: SIGNING_KEY_NAME, value, created_at: now.toISOString() });
  // Another process may have added a key in the meantime.
  return jwkOf(store.secrets.byName(SIGNING_KEY_NAME) as Uint8Array);
}

export function publicJwk({ kty, crv, x, y, kid, alg, use }: JWK): JWK {
  return { kty, crv, x, y, kid, alg, use } as JWK;
}

function jwkOf(der: Uint8Array): JWK {
  const key = createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' });
  const { crv, kty, x, y, d } = key.export({ format: 'jwk' }) as Record<string, string>;
  const kid = toBase64Url(sha256(JSON.stringify({ crv, kty, x, y })));
  return { kty, crv, x, y, d, kid, alg: SIGNING_ALGORITHM, use: 'sig' } as JWK;
}
