import { DomainError } from '#core/domain/text/errors.ts';

/**
 * Rejects a write that a page of another site may have caused with the visitor's cookie. A client that sends neither
 * header is not a browser.
 *
 * @throws {DomainError} `csrf_rejected`.
 */
export function refuseCrossSite(headers: Headers, baseUrl: string): void {
  const site = headers.get('sec-fetch-site');
  if (site !== null) {
    if (site === 'same-origin' || site === 'none') return;
    throw new DomainError(
      'csrf_rejected',
      `The request was sent by a page of another site (Sec-Fetch-Site: ${site})`,
    );
  }
  const origin = headers.get('origin');
  if (origin === null || origin === baseUrl) return;
  throw new DomainError(
    'csrf_rejected',
    `The request was sent by a page of another site (Origin: ${origin})`,
  );
}

/** Returns whether a browser requests a page, a frame or a picture, and not data for a script of the board. */
export function isNavigation({ headers }: Request): boolean {
  return (headers.get('sec-fetch-dest') ?? 'empty') !== 'empty';
}
