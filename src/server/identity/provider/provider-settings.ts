/** The settings of the board's own OpenID provider. */
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

/** Details that are stored with an interaction. */
export interface AskedDetails {
  /** The client's name when the interaction began. */
  client_name?: string | undefined;
}

/** Passes the visitor to the provider, for rate limits. Requests from the network cannot set it. */
export const VISITOR_HEADER = 'x-opbench-visitor';

const MINUTE_S = 60;
const DAY_S = 24 * 60 * MINUTE_S;

export const TTL = {
  code: MINUTE_S,
  accessToken: 15 * MINUTE_S,
  /** Longer than an emailed link is valid, so that the link can still complete it. */
  interaction: 30 * MINUTE_S,
  /** An unused refresh token; a whole grant. */
  refreshIdle: 30 * DAY_S,
  grant: 90 * DAY_S,
  /** The companion site asks again when its token has expired, so its grant ends with the token. */
  satelliteGrant: 16 * MINUTE_S,
  /** The board's own sign-in needs its grant only until it knows the operator. */
  ownGrant: 10 * MINUTE_S,
  session: 30 * DAY_S,
};

/** A client that the admin configured. It needs no registration, and its name can be trusted. */
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

/** The names of the provider's cookies. Interaction cookies are limited to a path, so they cannot be `__Host-`. */
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
    // Apps stay connected when the operator signs out here.
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
    // The board must know when the operator signed in, not only that.
    require_auth_time: true,
  };
}

/** The companion site's client: it learns only the operator's identity, and gets no refresh token. */
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
        // An app on the operator's device chooses a new port at each start.
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
        if (audience === null)
          throw new errors.InvalidTarget('The resource does not belong to this board');
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
 * Requires a sign-in unless the board's own session identifies the operator. Asks for consent each time,
 * except for the board's own site.
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
      'The operator must sign in',
      'login_required',
      async ({ oidc, req }) => {
        if (oidc.result?.login) return Check.NO_NEED_TO_PROMPT;
        return (await signedIn(req.headers.cookie ?? null)) !== oidc.session?.accountId;
      },
    ),
  );
  policy.get('consent')?.checks.add(
    new Check('always_asked', 'The operator must allow access', 'consent_required', ({ oidc }) => {
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

/** The grant of an authorization: the one that was just allowed, or a full grant for the board's own site. */
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
