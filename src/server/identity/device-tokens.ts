import { type JWTPayload, errors, jwtVerify } from 'jose';
import type { KeyRow } from '#db/devices.ts';
import type { Store } from '#db/store.ts';
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

const CLOCK_TOLERANCE_S = 60;
const MAX_JTI_LENGTH = 100;

/** Checks a device token for one request and returns the key that signed it. */
export async function readDeviceToken(
  store: Store,
  token: string,
  request: DeviceRequest,
  now: Date,
): Promise<KeyRow> {
  // The library ignores unused bits of the last character.
  const isCanonical = token.split('.').every((part) => fromBase64Url(part) !== null);
  if (!isCanonical) throw refusal('it is not canonical base64url');
  let key: KeyRow | undefined;
  const { payload } = await jwtVerify(
    token,
    ({ kid }) => {
      if (typeof kid !== 'string') throw refusal('it does not name a key (kid)');
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
  if (!key) throw refusal('it does not name a key (kid)');
  if (payload['htm'] !== request.method || payload['htu'] !== request.audience + request.path) {
    throw refusal('it was signed for another request');
  }
  const nowS = epochSeconds(now);
  const { jti, expires_at } = readLife(payload, nowS);
  const fresh = store.devices.rememberToken({ keyid: key.keyid, jti, expires_at });
  if (!fresh) throw refusal('it was already used');
  return key;
}

function readLife(payload: JWTPayload, nowS: number): { jti: string; expires_at: number } {
  const { iat, exp, jti } = payload;
  if (!Number.isInteger(iat) || !Number.isInteger(exp))
    throw refusal('iat and exp must be whole seconds');
  const issued = iat as number;
  const expires = exp as number;
  if (expires - issued > DEVICE_TOKEN_TTL_S || issued > nowS + CLOCK_TOLERANCE_S) {
    throw refusal('it is valid for more than 60 seconds, or was issued in the future');
  }
  if (typeof jti !== 'string' || jti.length === 0 || jti.length > MAX_JTI_LENGTH) {
    throw refusal(`jti must be a string of 1 to ${MAX_JTI_LENGTH} characters`);
  }
  return { jti, expires_at: expires + CLOCK_TOLERANCE_S };
}

function refusal(reason: string): DomainError {
  return new DomainError('token_invalid', `The device token is not valid: ${reason}`);
}

export type ActiveKey = KeyRow;

/**
 * The key with its device and operator.
 *
 * @throws {DomainError} `key_unknown` or `key_revoked`.
 */
export function activeKey(store: Store, keyid: string): ActiveKey {
  const key = store.devices.key(keyid);
  if (!key) throw keyUnknown(keyid);
  if (key.revoked_at !== null) {
    throw new DomainError('key_revoked', `The key ${keyid} was revoked at ${key.revoked_at}`);
  }
  return key;
}

/** The error for an unknown key, and for a key that the caller must not learn about. */
export function keyUnknown(keyid: string): DomainError {
  return new DomainError('key_unknown', `No device is enrolled with the key ${keyid}`);
}
