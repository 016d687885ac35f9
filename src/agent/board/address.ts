import { isLoopbackUrl } from '#core/domain/account/oauth.ts';
import { EXIT, Failure } from '../failure.ts';

const HINT = 'Use an address that begins with https://, for example https://bench.example.org.';

/**
 * The base URL of a board: an origin.
 *
 * @throws {Failure} if the text is not a URL, or is unencrypted http on a public address.
 */
export function readBoardUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new Failure(EXIT.usage, `"${text}" is not the address of a board`, HINT);
  }
  if (url.protocol === 'http:' && !isLoopbackUrl(url.href)) {
    throw new Failure(EXIT.usage, `${url.origin} is not encrypted`, 'Use its https:// address.');
  }
  return url.origin;
}
