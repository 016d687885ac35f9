import { type JWTPayload, errors, jwtVerify } from 'jose';
import type { Store } from '#db/store.ts';
import type { KeyRow } from '#db/devices.ts';
import { fromBase64Url } from '#core/domain/text/base64.ts';
import { epochSeconds } from '#core/domain/counting/day.ts';
import {
  DEVICE_TOKEN_ALGORITHM,
  DEVICE_TOKEN_TTL_S,
  DEVICE_TOKEN_TYPE,
  type DeviceRequest,
} from '#core/domain/signing/device-token.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { publicKeyObject } from '../process/crypto.ts';
import { activeKey } from './device-keys.ts';

/** What a device's clock may be off, in seconds. */
const CLOCK_TOLERANCE_S = 60;
const MAX_JTI_LENGTH = 100;

/**
 * Checks a device token for one request and returns the key that signed it.
 *
 * @throws {DomainError} `token_invalid` if it is not such a token, or was used before.
 * @throws {DomainError} `key_unknown` or `key_revoked` if its key may not speak for anybody.
 */
export async function readDeviceToken(
  store: Store,
  token: string,
  request: DeviceRequest,
  now: Date,
): Promise<KeyRow> {
  // A library would ignore the bits of a last letter that mean nothing.
  const isCanonical = token.split('.').every((part) => fromBase64Url(part) !== null);
  if (!isCanonical) throw refusal('It is not canonical base64url');
  let key: KeyRow | undefined;
  const { payload } = await jwtVerify(
    token,
    ({ kid }) => {
      if (typeof kid !== 'string') throw refusal('It names no key');
      key = activeKey(store, kid);
      return publicKeyObject(key.public_key);
    },
    {
      algorithms: [DEVICE_TOKEN_ALGORITHM],
      typ: DEVICE_TOKEN_TYPE,
      audience: request.audience,
      requiredClaims: ['iat', 'exp', 'jti', 'htm', 'htu'],
      clockTolerance: CLOCK_TOLERANCE_S,
      currentDate: now,
    },
  ).catch((error: unknown) => {
    if (error instanceof errors.JOSEError) throw refusal(error.message);
    throw error;
  });
  if (!key) throw refusal('It names no key');
  if (payload['htm'] !== request.method || payload['htu'] !== request.audience + request.path) {
    throw refusal('It was signed for another request');
  }
  const nowS = epochSeconds(now);
  const { jti, expires_at } = readLife(payload, nowS);
  const fresh = store.devices.rememberToken({ keyid: key.keyid, jti, expires_at });
  if (!fresh) throw refusal('It was used before');
  return key;
}

/** A token's id, and until when it must be remembered. */
function readLife(payload: JWTPayload, nowS: number): { jti: string; expires_at: number } {
  const { iat, exp, jti } = payload;
  if (!Number.isInteger(iat) || !Number.isInteger(exp)) throw refusal('Its times are not seconds');
  const issued = iat as number;
  const expires = exp as number;
  if (expires - issued > DEVICE_TOKEN_TTL_S || issued > nowS + CLOCK_TOLERANCE_S) {
    throw refusal('It lives longer than 60 seconds, or was issued in the future');
  }
  if (typeof jti !== 'string' || jti.length === 0 || jti.length > MAX_JTI_LENGTH) {
    throw refusal(`Its jti is not a text of at most ${MAX_JTI_LENGTH} characters`);
  }
  return { jti, expires_at: expires + CLOCK_TOLERANCE_S };
}

function refusal(reason: string): DomainError {
  return new DomainError('token_invalid', `The device token is not valid: ${reason}`);
}
