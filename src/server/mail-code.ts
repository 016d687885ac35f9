import { sha256Hex } from './identity/crypto.ts';

/** A link dies with so many wrong codes. */
export const MAX_CODE_TRIES = 5;

/** What is kept of a code: with the token, which is not kept, so that nobody can try all codes on it. */
export function codeHash(token: string, code: string): string {
  return sha256Hex(`${token}\n${code}`);
}
