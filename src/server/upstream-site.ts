import { DomainError } from '#core/domain/errors.ts';
import type { AppContext } from './context.ts';
import type { UpstreamName, UpstreamSite } from './identity/upstream.ts';

/**
 * A site that people sign in with, as the keeper set it up.
 *
 * @throws {DomainError} `not_found` if it is not.
 */
export function upstreamSite({ config }: AppContext, name: string): UpstreamSite {
  const settings = isUpstream(name) ? config.signIn[name] : null;
  if (!isUpstream(name) || !settings || config.signIn.authority) {
    throw new DomainError('not_found', 'This board does not sign in with that site');
  }
  return { name, ...settings, redirectUri: `${config.baseUrl}/login/${name}/callback` };
}

function isUpstream(name: string): name is UpstreamName {
  return name === 'github' || name === 'twitter';
}
