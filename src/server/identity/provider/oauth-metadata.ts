import type {
  AuthorizationServer,
  ProtectedResource,
  ProviderKeys,
  UserInfo,
} from '#core/contract/oauth.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { NEEDED_SCOPE, type Resource, audienceOf } from '#core/domain/account/oauth.ts';
import type { Caller } from '#core/schema/account.ts';
import type { AppContext } from '#server/context.ts';
import { operatorOf } from '#server/operator/operator.ts';
import { signsInElsewhere } from './board-provider.ts';

/** The issuers of access tokens for one of the board's resources. */
export function readProtectedResource(
  { config: { baseUrl, site }, provider }: AppContext,
  resource: Resource,
): ProtectedResource {
  return {
    resource: audienceOf(resource, baseUrl),
    authorization_servers: [provider.issuer],
    scopes_supported: [NEEDED_SCOPE],
    bearer_methods_supported: ['header'],
    resource_name: resource === 'api' ? site.name : `${site.name} MCP`,
    resource_documentation: `${baseUrl}/developers`,
  };
}

/**
 * The metadata of the provider, whether it is the board's own or external.
 *
 * @throws {DomainError} `service_unavailable` if an external provider does not respond.
 */
export async function readAuthorizationServer({
  provider,
}: AppContext): Promise<AuthorizationServer> {
  try {
    return { ...(await provider.authority.server()) } as AuthorizationServer;
  } catch (error) {
    if (provider.interactions) throw error;
    throw new DomainError('service_unavailable', 'The sign-in service is not responding');
  }
}

/** @throws {DomainError} `not_found` if the board uses an external provider. */
export async function readOpenidConfiguration(ctx: AppContext): Promise<AuthorizationServer> {
  if (!ctx.provider.interactions) throw signsInElsewhere(ctx.provider);
  return readAuthorizationServer(ctx);
}

/** @throws {DomainError} `not_found` if the board uses an external provider. */
export function readProviderKeys(ctx: AppContext): ProviderKeys {
  const { provider } = ctx;
  if (!provider.publicKeys) throw signsInElsewhere(provider);
  return { keys: provider.publicKeys() as ProviderKeys['keys'] };
}

/** The caller's identity, as far as the token's scopes allow. */
export function readUserInfo(ctx: AppContext, { operator_id, scopes }: Caller): UserInfo {
  const { public_id: sub, codename, display_name } = operatorOf(ctx, operator_id);
  if (scopes && !scopes.includes('profile')) return { sub };
  return { sub, preferred_username: codename, name: display_name ?? codename };
}
