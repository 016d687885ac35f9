/**
 * The device token: a JWT with which a device authenticates for its operator. It is valid for at most one minute and
 * bound to the method and URL of one request. Tokens are made here; the board checks them with its token library.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7519 | RFC 7519}
 * @see {@link https://www.rfc-editor.org/rfc/rfc9449#section-4.2 | RFC 9449, section 4.2 (htm, htu)}
 * @module
 */
import { toBase64Url } from '../text/base64.ts';
import type { Sign } from './ed25519.ts';

export const DEVICE_TOKEN_TYPE = 'device+jwt';
/** The algorithm's name since {@link https://www.rfc-editor.org/rfc/rfc9864 | RFC 9864}. */
export const DEVICE_TOKEN_ALGORITHM = 'Ed25519';
/** The longest lifetime of a token, in seconds. */
export const DEVICE_TOKEN_TTL_S = 60;

export interface DeviceRequest {
  /** The board's base URL. */
  audience: string;
  method: string;
  /** Path without query, starting with `/`. */
  path: string;
}

/**
 * Signs a token for one request.
 *
 * @param nowMs The device's clock, in milliseconds since the epoch.
 * @param jti A value that was never used before.
 */
export async function signDeviceToken(
  request: DeviceRequest,
  key: { keyid: string; sign: Sign },
  nowMs: number,
  jti: string,
): Promise<string> {
  const iat = Math.floor(nowMs / 1000);
  const header = { alg: DEVICE_TOKEN_ALGORITHM, typ: DEVICE_TOKEN_TYPE, kid: key.keyid };
  const claims = {
    aud: request.audience,
    iat,
    exp: iat + DEVICE_TOKEN_TTL_S,
    jti,
    htm: request.method,
    htu: request.audience + request.path,
  };
  const text = `${encode(header)}.${encode(claims)}`;
  const signature = await key.sign(new TextEncoder().encode(text));
  return `${text}.${toBase64Url(signature)}`;
}

function encode(value: object): string {
  return toBase64Url(new TextEncoder().encode(JSON.stringify(value)));
}
