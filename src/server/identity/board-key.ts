import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Store } from '#db/store.ts';
import { toBase64Url } from '#core/domain/text/base64.ts';
import { envelopeOf, keyIdOf, preAuthEncoding } from '#core/domain/signing/dsse.ts';
import type { Ruleset } from '#core/domain/board/ruleset.ts';
import { BOARD_KEY_PAYLOAD_TYPE } from '#core/schema/log-payload.ts';
import type { Envelope } from '#core/schema/snapshot.ts';
import { privateKeyObject, sha256, signEd25519 } from '../process/crypto.ts';

/** The board's own key: signs receipts. */
export interface BoardKey {
  keyid: string;
  /** base64url of 32 bytes. */
  public_key: string;
  seal(payloadType: string, payload: Uint8Array): Envelope;
}

/** The key that signs now; at the first start it is made and entered in the log. */
export function openBoardKey(store: Store, now: Date): BoardKey {
  return store.transaction(() => {
    const [newest] = store.boardKeys.all();
    return newest
      ? boardKey(newest.keyid, newest.public_key, secretKeyOf(newest))
      : makeKey(store, now);
  });
}

function makeKey(store: Store, now: Date): BoardKey {
  const { publicKey, secretKey } = generateKey();
  const keyid = keyIdOf(publicKey, sha256);
  const key = boardKey(keyid, publicKey, privateKeyObject(secretKey, publicKey));
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

/** Enters the ruleset in the log if the newest entry names another. */
export function enterRuleset(store: Store, ruleset: Ruleset, now: Date): void {
  store.transaction(() => {
    const text = JSON.stringify(ruleset);
    const last = store.log.lastOfKind('ruleset')?.payload;
    if (last && new TextDecoder().decode(last) === text) return;
    store.log.append({ kind: 'ruleset', operator_id: null, payload: ruleset, now });
  });
}

function boardKey(keyid: string, publicKey: Uint8Array, secretKey: KeyObject): BoardKey {
  return {
    keyid,
    public_key: toBase64Url(publicKey),
    seal(payloadType, payload) {
      const signature = signEd25519(preAuthEncoding(payloadType, payload), secretKey);
      return envelopeOf(payloadType, payload, keyid, signature);
    },
  };
}

function secretKeyOf(row: { secret_key: Uint8Array; public_key: Uint8Array }): KeyObject {
  return privateKeyObject(row.secret_key, row.public_key);
}

function generateKey(): { publicKey: Uint8Array; secretKey: Uint8Array } {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { x, d } = privateKey.export({ format: 'jwk' });
  return {
    publicKey: Buffer.from(x as string, 'base64url'),
    secretKey: Buffer.from(d as string, 'base64url'),
  };
}
