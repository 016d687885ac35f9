/** An external OpenID provider. The board is its client and accepts its access tokens. */
import { createRemoteJWKSet, customFetch as joseFetch } from 'jose';
import {
  type AuthorizationServer,
  ClientSecretBasic,
  ClientSecretPost,
  None,
  discoveryRequest,
  processDiscoveryResponse,
} from 'oauth4webapi';
import { acceptedAudiences } from '#core/domain/account/oauth.ts';
import { boundedFetch, requestOptions } from './bounded-fetch.ts';
import type { Provider } from './provider.ts';

interface ExternalOptions {
  url: string;
  clientId: string;
  clientSecret: string | null;
  audience: string | null;
  accessTokenTyp: string;
  baseUrl: string;
  now: () => Date;
  onError: (error: unknown) => void;
}

const METADATA_MS = 60 * 60 * 1000;
/** The signing algorithms that are accepted for access tokens. All of them are asymmetric. */
const ALGORITHMS = [
  'ES256',
  'ES384',
  'ES512',
  'Ed25519',
  'EdDSA',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
];

export function createExternalProvider(options: ExternalOptions): Provider {
  const { url, clientId, clientSecret, audience, accessTokenTyp, baseUrl, now } = options;
  const server = remembered(() => discover(url, options.onError), METADATA_MS, now);
  const keys = remembered(async () => keysOf(await server()), Infinity, now);
  return {
    issuer: url,
    interactions: null,
    authority: {
      client: { client_id: clientId },
      clientAuth: ({ token_endpoint_auth_methods_supported: methods }) => {
        if (clientSecret === null) return None();
        const isBasic = methods?.includes('client_secret_basic') ?? true;
        return isBasic ? ClientSecretBasic(clientSecret) : ClientSecretPost(clientSecret);
      },
      server,
      fetch: boundedFetch,
    },
    tokens: {
      algorithms: ALGORITHMS,
      typ: accessTokenTyp,
      keys,
      audiences: (resource) =>
        audience === null ? acceptedAudiences(resource, baseUrl) : [audience],
    },
    publicKeys: null,
    answer: null,
  };
}

async function discover(url: string, onError: ExternalOptions['onError']) {
  try {
    const options = requestOptions(boundedFetch, url);
    const response = await discoveryRequest(new URL(url), options);
    const server = await processDiscoveryResponse(new URL(url), response);
    // Identities depend on the exact issuer string, which the library does not enforce.
    if (server.issuer === url) return server;
    throw new TypeError(
      `AUTH_URL must be exactly ${JSON.stringify(server.issuer)}, the provider's issuer`,
    );
  } catch (error) {
    onError(error);
    throw error;
  }
}

function keysOf({ jwks_uri: address }: AuthorizationServer) {
  if (address === undefined)
    throw new TypeError('The provider does not publish its keys (jwks_uri)');
  return createRemoteJWKSet(new URL(address), {
    [joseFetch]: (keysUrl, init) => boundedFetch(keysUrl, init as object),
  });
}

/** Caches the result for `keptMs`. Does not cache failures. */
function remembered<Value>(ask: () => Promise<Value>, keptMs: number, now: () => Date) {
  let known: { value: Promise<Value>; untilMs: number } | null = null;
  return (): Promise<Value> => {
    if (known && known.untilMs > now().getTime()) return known.value;
    const value = ask();
    const asked = { value, untilMs: now().getTime() + keptMs };
    known = asked;
    value.catch(() => {
      if (known === asked) known = null;
    });
    return value;
  };
}
