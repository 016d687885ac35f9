import { errors, jwtVerify } from 'jose';
import type { Store } from '#db/store.ts';
import type { KeyRow } from '#db/devices.ts';
import {
  DEVICE_TOKEN_ALGORITHM,
  DEVICE_TOKEN_TTL_S,
  DEVICE_TOKEN_TYPE,
  type DeviceRequest,
} from '#core/domain/device-token.ts';
import { DomainError } from '#core/domain/errors.ts';
import { publicKeyObject } from './crypto.ts';

/** What a device's clock may be off, in seconds. */
const CLOCK_TOLERANCE_S = 60;

/**
 * Checks a device token for one request and returns the key that signed it.
 *
 * @throws {DomainError} `token_invalid` if it is not such a token, or was used before.
 */
export async function readDeviceToken(
  store: Store,
  token: string,
  request: DeviceRequest,
  now: Date,
): Promise<KeyRow> {
  let key: KeyRow | undefined;
  const { payload } = await jwtVerify(
    token,
    ({ kid }) => {
      key = store.devices.key(kid ?? '');
      if (!key || key.revoked_at !== null) throw refusal('Its key is not enrolled');
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
  const { iat = 0, exp = 0, jti = '', htm, htu } = payload;
  if (exp - iat > DEVICE_TOKEN_TTL_S) throw refusal('It lives longer than 60 seconds');
  if (htm !== request.method || htu !== request.audience + request.path) {
    throw refusal('It was signed for another request');
  }
  if (jti.length > 100) throw refusal('Its jti is longer than 100 characters');
  if (!key) throw refusal('It names no key');
  const { keyid } = key;
  const nowS = Math.floor(now.getTime() / 1000);
  const fresh = store.devices.rememberToken(
    { keyid, jti, expires_at: exp + CLOCK_TOLERANCE_S },
    nowS,
  );
  if (!fresh) throw refusal('It was used before');
  return key;
}

function refusal(reason: string): DomainError {
  return new DomainError('token_invalid', `The device token is not valid: ${reason}`);
}
