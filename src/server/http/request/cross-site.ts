import { DomainError } from '#core/domain/text/errors.ts';

/**
 * Refuses a write that another site's page may have caused with the visitor's cookie. A client that
 * sends neither header is no browser.
 *
 * @throws {DomainError} `csrf_rejected`.
 */
export function refuseCrossSite(headers: Headers, baseUrl: string): void {
  const site = headers.get('sec-fetch-site');
  if (site !== null) {
    if (site === 'same-origin' || site === 'none') return;
    throw new DomainError('csrf_rejected', `The request is ${site}`);
  }
  const origin = headers.get('origin');
  if (origin === null || origin === baseUrl) return;
  throw new DomainError('csrf_rejected', `The request comes from ${origin}`);
}

/** Whether a browser asks for a page, a frame or a picture, not a script of the board's for its data. */
export function isNavigation({ headers }: Request): boolean {
  return (headers.get('sec-fetch-dest') ?? 'empty') !== 'empty';
}
