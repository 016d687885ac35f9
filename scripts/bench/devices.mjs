// Devices that sign, each with a key made from a number, and what they send.
import { createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto';
import { envelopeOf, keyIdOf, preAuthEncoding } from '#core/domain/signing/dsse.ts';
import { composeSnapshot } from '#core/domain/signing/snapshot.ts';
import { uuidV7 } from '#core/domain/text/uuid.ts';
import { SNAPSHOT_PAYLOAD_TYPE } from '#core/schema/snapshot.ts';
import { sha256 } from '#server/process/crypto.ts';

const COLLECTOR = { name: 'opbench', version: '0.1.0' };

/** What stands before the 32 bytes of a private Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The key of the device with this number. */
export function signingKey(number) {
  const secret = sha256(`the key of the synthetic device ${number}`);
  const der = Buffer.concat([PKCS8_HEAD, secret]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' });
  const publicKey = Buffer.from(jwk.x, 'base64url');
  const signs = (bytes) => sign(null, bytes, privateKey);
  return { keyid: keyIdOf(publicKey, sha256), jwk, publicKey, sign: signs };
}

/** A snapshot as a device signs it now: its envelope, and the bytes that it covers. */
export function signedSnapshot(key, { audience, buckets }) {
  const submission_id = uuidV7(Date.now(), randomBytes(10));
  const payload = composeSnapshot({
    audience,
    submission_id,
    issuedAtMs: Date.now(),
    collector: COLLECTOR,
    correction: null,
    buckets,
  });
  const signature = key.sign(preAuthEncoding(SNAPSHOT_PAYLOAD_TYPE, payload));
  const envelope = envelopeOf(SNAPSHOT_PAYLOAD_TYPE, payload, key.keyid, signature);
  return { submission_id, collector: COLLECTOR, payload, envelope };
}
