import { DomainError } from '#core/domain/text/errors.ts';
import { UpstreamName } from '#core/schema/account.ts';
import type { AppContext } from '#server/context.ts';
import type { UpstreamSite } from './upstream.ts';

/**
 * A site that people sign in with, as the keeper set it up.
 *
 * @throws {DomainError} `not_found` if it is not.
 */
export function upstreamSite({ config }: AppContext, name: string): UpstreamSite {
  const site = UpstreamName.safeParse(name).data;
  const settings = site && config.signIn[site];
  if (!settings || config.signIn.authority) {
    throw new DomainError('not_found', 'This board does not sign in with that site');
  }
  return { name: site, ...settings, redirectUri: `${config.baseUrl}/login/${site}/callback` };
}
