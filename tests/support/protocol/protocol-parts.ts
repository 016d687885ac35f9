/** The common parts of all protocol vectors: fixed keys, names and times. */
import { createHash } from 'node:crypto';
import { toBase64Url } from '#core/domain/text/base64.ts';
import { keyIdOf, preAuthEncoding, seal } from '#core/domain/signing/dsse.ts';
import { type Sign, signerOf } from '#core/domain/signing/ed25519.ts';
import { fromHex, hex } from '#core/domain/log/log-entry.ts';
import { uuidV7 } from '#core/domain/text/uuid.ts';
import type { Envelope } from '#core/schema/snapshot.ts';

const now = '2026-03-02T09:05:00.000Z';
const idAt = (last: number) => uuidV7(Date.parse(now), new Uint8Array(10).fill(last));

export const PROTOCOL = {
  baseUrl: 'https://board.example',
  now,
  code: '7ZQ4K-M2XW9-0AB1C',
  installationId: '6f1f9b1d-d0a3-492e-8c1f-2f3a4b5c6d7e',
  /** The device in the log, and an installation that replaces it. */
  deviceId: 'c0d4a9b2-1e5f-4a6b-8c7d-9e0f1a2b3c4d',
  otherInstallationId: '1b7e5a90-8c3d-4f26-a1d4-6e0f9c2b7a58',
  submissionId: idAt(0x11),
  correctionId: idAt(0x22),
  statedDaysId: idAt(0x33),
} as const;

/** The key pairs of RFC 8032, section 7.1: tests 1, 2, 3, and SHA(abc). */
const SEEDS = {
  device: [
    '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
  ],
  board: [
    '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
  ],
  next_board: [
    'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
  ],
  stranger: [
    '833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42',
    'ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf',
  ],
} as const;

/** A signing key, and its public form. */
export interface ProtocolKey {
  keyid: string;
  sign: Sign;
  publicKey: Uint8Array;
  published: Record<'keyid' | 'public_key' | 'public_key_hex' | 'seed_hex', string>;
}

export function aKey(name: keyof typeof SEEDS): ProtocolKey {
  const [seed_hex, public_key_hex] = SEEDS[name];
  const publicKey = fromHex(public_key_hex);
  const keyid = keyIdOf(publicKey, sha256);
  const public_key = toBase64Url(publicKey);
  const published = { seed_hex, public_key_hex, public_key, keyid };
  return { keyid, sign: signerOf(fromHex(seed_hex)), publicKey, published };
}

export function sha256(data: Uint8Array | string): Uint8Array {
  return createHash('sha256').update(data).digest();
}

export function sha256Hex(data: Uint8Array | string): string {
  return hex(sha256(data));
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export { hex as hexOf };

export function paeOf(payloadType: string, payload: string): Uint8Array {
  return preAuthEncoding(payloadType, bytesOf(payload));
}

export function sealText(type: string, payload: string, key: ProtocolKey): Promise<Envelope> {
  return seal(type, bytesOf(payload), key);
}
