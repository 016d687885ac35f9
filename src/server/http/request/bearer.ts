import { DomainError } from '#core/domain/text/errors.ts';

/** A refusal of an Authorization header that no client should have sent. */
export class BearerFormError extends DomainError {}

/**
 * The token that a request carries in its Authorization header.
 *
 * @throws {DomainError} `unauthenticated` if it carries another credential, `request_malformed` if it is none.
 */
export function bearerOf({ headers }: Request): string {
  const authorization = headers.get('authorization') ?? '';
  if (!/^Bearer(?: |$)/i.test(authorization)) {
    throw new DomainError(
      'unauthenticated',
      'The Authorization header is not of the scheme Bearer',
    );
  }
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization)?.[1];
  if (token) return token;
  throw new BearerFormError('request_malformed', 'The Authorization header holds no single token');
}
