import { DomainError } from '#core/domain/text/errors.ts';
import type { AppContext } from '#server/context.ts';
import type { Publication } from './publication.ts';

/**
 * The publication that this request reads.
 *
 * @throws {DomainError} `service_unavailable` before the first one.
 */
export function currentPublication(ctx: AppContext): Publication {
  const publication = ctx.publications.current();
  if (!publication) throw new DomainError('service_unavailable', 'No board is published yet');
  return publication;
}
