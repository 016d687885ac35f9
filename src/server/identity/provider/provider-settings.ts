/** How the board's own OpenID provider is set up. */
import type {
  ClientMetadata,
  Configuration,
  KoaContextWithOIDC,
  interactionPolicy,
} from 'oidc-provider';
import type { JWK } from 'jose';
import type { Store } from '#db/store.ts';
import {
  NEEDED_SCOPE,
  SCOPES,
  audienceNamed,
  isCanonicalUrl,
  isLoopbackUrl,
  mayReceiveCodes,
} from '#core/domain/account/oauth.ts';
import { SIGNING_ALGORITHM } from '../board-key.ts';

type OidcModule = typeof import('oidc-provider');

export const OWN_CLIENT = 'web';

/** What is kept with a question besides what was asked for. */
export interface AskedDetails {
  /** As the application called itself when it asked. */
  client_name?: string | undefined;
}

/** Tells the provider which client's limits a request counts for; never taken from the network. */
export const VISITOR_HEADER = 'x-opbench-visitor';

const MINUTE_S = 60;
const DAY_S = 24 * 60 * MINUTE_S;

export const TTL = {
  code: MINUTE_S,
  accessToken: 15 * MINUTE_S,
  /** Longer than a mailed link, so that it can still be finished with one. */
  interaction: 30 * MINUTE_S,
  /** A refresh token that is not used, and then all of a grant. */
  refreshIdle: 30 * DAY_S,
  grant: 90 * DAY_S,
  /** The companion site asks anew when its token has ended, so its grant ends with that. */
  satelliteGrant: 16 * MINUTE_S,
  /** The board's own sign-in lets go of its grant once it knows who it is. */
  ownGrant: 10 * MINUTE_S,
  session: 30 * DAY_S,
};

/** A client that the admin set up: it needs no registration, and its name is not its own word. */
interface KeptClient {
  clientId: string;
  redirectUri: string;
  name: string;
}

export interface SettingsOptions {
  store: Store;
  baseUrl: string;
  satellite: KeptClient | null;
  adapter: Configuration['adapter'];
  signingKey: JWK;
  cookieKey: string;
  signedIn: (cookieHeader: string | null) => Promise<string | undefined>;
  mayFetch: (visitor: string) => boolean;
  fetchPublic: typeof globalThis.fetch;
}

/** The provider's cookies. Those of an interaction are of its path only, so they cannot be `__Host-`. */
export function cookieNames(baseUrl: string) {
  const secure = baseUrl.startsWith('https:');
  return {
    session: secure ? '__Host-provider' : 'provider',
    interaction: secure ? '__Secure-interaction' : 'interaction',
    resume: secure ? '__Secure-interaction_resume' : 'interaction_resume',
  };
}

export function providerSettings(oidc: OidcModule, options: SettingsOptions): Configuration {
  const { store, baseUrl, satellite, adapter, signingKey, cookieKey } = options;
  return {
    adapter,
    clients: [ownClient(baseUrl), ...(satellite ? [keptClient(satellite)] : [])],
    clientDefaults: {
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: SIGNING_ALGORITHM,
    },
    clientAuthMethods: ['none'],
    clientBasedCORS: () => true,
    jwks: { keys: [signingKey as never] },
    enabledJWA: { idTokenSigningAlgValues: [SIGNING_ALGORITHM] },
    cookies: {
      names: cookieNames(baseUrl),
      keys: [cookieKey],
      long: { httpOnly: true, sameSite: 'lax', signed: true },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      registration: '/oauth/register',
      revocation: '/oauth/revoke',
      userinfo: '/oauth/userinfo',
      jwks: '/.well-known/jwks.json',
    },
    discovery: { service_documentation: `${baseUrl}/developers` },
    features: features(oidc, options),
    responseTypes: ['code'],
    scopes: [...SCOPES],
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'], email: [] },
    pkce: { required: () => true },
    interactions: {
      policy: policyOf(oidc, options),
      url: (_, { uid }) => `/login/interaction/${uid}`,
    },
    findAccount: (_, sub) => accountOf(store, sub),
    loadExistingGrant: (ctx) => grantOf(ctx, baseUrl),
    // What was let in stays when its operator signs out here.
    expiresWithSession: () => false,
    issueRefreshToken: (_, client, { scopes }) => {
      return client.grantTypeAllowed('refresh_token') && scopes.has('offline_access');
    },
    rotateRefreshToken: true,
    extraTokenClaims: (_, token) => ('grantId' in token ? { grant: token.grantId } : undefined),
    ttl: {
      AccessToken: TTL.accessToken,
      AuthorizationCode: TTL.code,
      IdToken: TTL.code,
      Interaction: TTL.interaction,
      Session: TTL.session,
      Grant: (_, { clientId }) => grantTtl(clientId, satellite),
      RefreshToken: (_, token) => {
        return Math.max(1, Math.min(TTL.refreshIdle, TTL.grant - token.totalLifetime()));
      },
    },
    fetch: options.fetchPublic,
    renderError: (ctx, out) => void (ctx.body = out),
  };
}

function grantTtl(clientId: string | undefined, satellite: KeptClient | null): number {
  if (clientId === OWN_CLIENT) return TTL.ownGrant;
  return clientId === satellite?.clientId ? TTL.satelliteGrant : TTL.grant;
}

function ownClient(baseUrl: string): ClientMetadata {
  return {
    client_id: OWN_CLIENT,
    redirect_uris: [`${baseUrl}/auth/callback`],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}

/** Tells who signs in and nothing more, and is asked for again rather than renewed. */
function keptClient({ clientId, redirectUri, name }: KeptClient): ClientMetadata {
  return {
    client_id: clientId,
    client_name: name,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    scope: NEEDED_SCOPE,
    token_endpoint_auth_method: 'none',
  };
}

function features(
  { errors }: OidcModule,
  { baseUrl, mayFetch }: SettingsOptions,
): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    revocation: { enabled: true },
    userinfo: { enabled: true },
    registration: { enabled: true, issueRegistrationAccessToken: false },
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      allowFetch: (ctx) =>
        mayFetch((ctx as KoaContextWithOIDC | undefined)?.get(VISITOR_HEADER) ?? ''),
      allowClient: (_, client) => {
        const uris = client.redirectUris ?? [];
        // The port on the person's own machine is the application's choice at each start.
        if (uris.some(isLoopbackUrl)) Object.assign(client, { applicationType: 'native' });
        return uris.every((uri) => mayReceiveCodes(uri) && isCanonicalUrl(uri));
      },
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: (_, __, oneOf) => oneOf ?? baseUrl,
      useGrantedResource: () => true,
      getResourceServerInfo: (_, indicator) => {
        const audience = audienceNamed(indicator, baseUrl);
        if (audience === null) throw new errors.InvalidTarget('The resource is none of this board');
        return {
          audience,
          scope: SCOPES.join(' '),
          accessTokenFormat: 'jwt',
          accessTokenTTL: TTL.accessToken,
          jwt: { sign: { alg: SIGNING_ALGORITHM } },
        };
      },
    },
  };
}

/**
 * Asks who it is unless the board's own session says so, and asks for leave every time but for the
 * board's own site.
 */
function policyOf(
  { interactionPolicy: { Check, base } }: OidcModule,
  { signedIn }: SettingsOptions,
): interactionPolicy.DefaultPolicy {
  const policy = base();
  const details = ({ oidc }: KoaContextWithOIDC): AskedDetails => {
    return { client_name: oidc.client?.clientName };
  };
  policy.forEach((prompt) => Object.assign(prompt, { details }));
  policy.get('login')?.checks.add(
    new Check(
      'board_session',
      'The person must sign in',
      'login_required',
      async ({ oidc, req }) => {
        if (oidc.result?.login) return Check.NO_NEED_TO_PROMPT;
        return (await signedIn(req.headers.cookie ?? null)) !== oidc.session?.accountId;
      },
    ),
  );
  policy.get('consent')?.checks.add(
    new Check('always_asked', 'The person must agree', 'consent_required', ({ oidc }) => {
      return oidc.client?.clientId !== OWN_CLIENT && !oidc.result?.consent;
    }),
  );
  return policy;
}

function accountOf(store: Store, sub: string) {
  const operator = store.operators.byPublicId(sub);
  if (!operator) return undefined;
  const { codename, display_name } = operator;
  const claims = { sub, preferred_username: codename, name: display_name ?? codename };
  return { accountId: sub, claims: () => claims };
}

/** The grant that an authorization goes by: what was just agreed to, or all for the board's own site. */
async function grantOf({ oidc }: KoaContextWithOIDC, baseUrl: string) {
  const { client, account, provider } = oidc;
  if (!client || !account) return undefined;
  const { accountId } = account;
  const known = await knownGrant(oidc, client.clientId);
  if (known?.accountId === accountId) return known;
  return client.clientId === OWN_CLIENT ? ownGrant(provider, accountId, baseUrl) : undefined;
}

async function knownGrant(
  { provider, result, session }: KoaContextWithOIDC['oidc'],
  clientId: string,
) {
  const grantId = result?.consent?.grantId ?? session?.grantIdFor(clientId);
  return grantId ? provider.Grant.find(grantId) : undefined;
}

async function ownGrant(
  { Grant }: KoaContextWithOIDC['oidc']['provider'],
  accountId: string,
  baseUrl: string,
) {
  const grant = new Grant({ clientId: OWN_CLIENT, accountId });
  grant.addOIDCScope(SCOPES.join(' '));
  grant.addResourceScope(baseUrl, SCOPES.join(' '));
  await grant.save();
  return grant;
}
