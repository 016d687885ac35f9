import { isLoopbackUrl } from '#core/domain/account/oauth.ts';
import { EXIT, Failure } from '../failure.ts';

const HINT = 'It begins with https://, as in https://bench.example.org.';

/**
 * A board's base URL as its admin spells it: an origin.
 *
 * @throws {Failure} if it is none, or would send what is signed in the clear.
 */
export function readBoardUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new Failure(EXIT.usage, `"${text}" is not the address of a board`, HINT);
  }
  if (url.protocol === 'http:' && !isLoopbackUrl(url.href)) {
    throw new Failure(EXIT.usage, `${url.origin} is plain http`, 'Use the https address.');
  }
  return url.origin;
}
