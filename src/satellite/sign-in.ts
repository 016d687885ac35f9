/**
 * Sign-in on another host, without the board's cookies: OAuth's authorization code flow with PKCE, as a public
 * client. The tab stores the state of the flow until the provider redirects back.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9700#section-2.1.1 | RFC 9700, section 2.1.1}
 * @module
 */
import * as oauth from 'oauth4webapi';
import type { SatelliteClient } from '#core/contract/satellite.ts';
import { NEEDED_SCOPE } from '#core/domain/account/oauth.ts';
import { TIMEOUT_MS } from './answers.ts';

export interface Tab {
  address(): URL;
  /** Replaces the address without loading it. */
  rename(address: string): void;
  leave(address: string): void;
  /** Storage that survives page loads in this tab. */
  storage(): Pick<Storage, 'getItem' | 'removeItem' | 'setItem'>;
  fetch(address: string, init: RequestInit): Promise<Response>;
}

export interface SigningIn {
  /** The board's URL, without a trailing slash. */
  board: string;
  client: SatelliteClient;
}

interface Asked {
  state: string;
  nonce: string;
  verifier: string;
}

/** The storage key, which contains the page's address because other pages may share the host. */
const keyOf = ({ client }: SigningIn) => `opbench-sign-in ${client.redirect_uri}`;

/** The library marks this as deprecated to prevent accidental use. Loopback has no TLS. */
const ALLOW_INSECURE = Reflect.get(oauth, 'allowInsecureRequests') as symbol;

/** The page is at another address than the registered redirect URI. */
export class MisplacedError extends Error {}
/** The answer does not belong to a sign-in that this tab started. */
export class UnaskedError extends Error {}

/**
 * Redirects to the provider.
 *
 * @throws {MisplacedError} if the page is not at its registered address.
 */
export async function leaveForSignIn(way: SigningIn, tab: Tab): Promise<void> {
  const { client } = way;
  if (tab.address().origin !== new URL(client.redirect_uri).origin) throw new MisplacedError();
  const server = await readServer(way, tab);
  const asked: Asked = {
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
  };
  const target = new URL(server.authorization_endpoint ?? '');
  const parameters = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: client.redirect_uri,
    scope: NEEDED_SCOPE,
    state: asked.state,
    nonce: asked.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(asked.verifier),
    code_challenge_method: 'S256',
    ...purposeOf(way),
  };
  Object.entries(parameters).forEach(([name, value]) => target.searchParams.set(name, value));
  tab.storage().setItem(keyOf(way), JSON.stringify(asked));
  tab.leave(target.href);
}

/**
 * Returns the access token after the provider's redirect, or null if there was no redirect. In any case, it
 * removes the flow's data from the address and the tab.
 *
 * @throws {UnaskedError} if the answer does not belong to this tab's sign-in.
 * @throws {oauth.AuthorizationResponseError} if the provider denied the request.
 * @throws {oauth.ResponseBodyError} if the provider rejected the code.
 */
export async function arriveFromSignIn(way: SigningIn, tab: Tab): Promise<string | null> {
  const answer = tab.address();
  const isAnswer = ['code', 'error'].some((name) => answer.searchParams.has(name));
  if (!isAnswer) return null;
  // Must come first, because reading the storage can throw.
  tab.rename(answer.pathname);
  const asked = takeAsked(way, tab);
  if (!asked || answer.searchParams.get('state') !== asked.state) throw new UnaskedError();
  const server = await readServer(way, tab);
  const client = { client_id: way.client.id };
  const parameters = oauth.validateAuthResponse(server, client, answer, asked.state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    way.client.redirect_uri,
    asked.verifier,
    {
      ...requestOptions(way, tab),
      additionalParameters: purposeOf(way),
    },
  );
  const { access_token } = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: asked.nonce,
    requireIdToken: true,
  });
  return access_token;
}

function takeAsked(way: SigningIn, tab: Tab): Asked | null {
  const storage = tab.storage();
  const kept = storage.getItem(keyOf(way));
  storage.removeItem(keyOf(way));
  return kept === null ? null : (JSON.parse(kept) as Asked);
}

/** The provider's metadata, which the board serves. */
async function readServer({ board, client }: SigningIn, tab: Tab) {
  const address = `${board}/.well-known/oauth-authorization-server`;
  const response = await tab.fetch(address, polite({ headers: { Accept: 'application/json' } }));
  // The board cannot reach an external provider, or another server answered.
  if (!response.ok) throw new TypeError(`The board answered ${response.status}`);
  return oauth.processDiscoveryResponse(new URL(client.issuer), response);
}

/**
 * The audience of the token. External providers use one of two parameter names and ignore the other.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc8707#section-2 | RFC 8707, section 2}
 */
function purposeOf({ board, client }: SigningIn): Record<string, string> {
  const { issuer, resource } = client;
  return {
    ...(URL.canParse(resource) && { resource }),
    ...(issuer !== board && { audience: resource }),
  };
}

function requestOptions({ client }: SigningIn, tab: Tab) {
  return {
    [oauth.customFetch]: (address: string, init: object) => tab.fetch(address, polite(init)),
    [ALLOW_INSECURE]: client.issuer.startsWith('http:'),
  };
}

/** Sends only the given request, without credentials or caching. */
export function polite(init: RequestInit): RequestInit {
  return {
    ...init,
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  };
}
