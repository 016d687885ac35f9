/**
 * Sign-in on another host, where the board's cookie is not available: OAuth's code flow with PKCE, as a public
 * client. The tab stores the state of the flow until the provider returns, and nothing afterwards.
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
  /** Replaces the URL without loading it. */
  rename(address: string): void;
  leave(address: string): void;
  /** Storage of this tab that survives navigation. */
  storage(): Pick<Storage, 'getItem' | 'removeItem' | 'setItem'>;
  fetch(address: string, init: RequestInit): Promise<Response>;
}

export interface SigningIn {
  /** The board's URL without a trailing slash. */
  board: string;
  client: SatelliteClient;
}

interface Asked {
  state: string;
  nonce: string;
  verifier: string;
}

/** The storage key. It contains the page's URL, because other pages may share the host. */
const keyOf = ({ client }: SigningIn) => `opbench-sign-in ${client.redirect_uri}`;

/** Loopback has no TLS. The library marks this option as deprecated only to prevent accidental use. */
const ALLOW_INSECURE = Reflect.get(oauth, 'allowInsecureRequests') as symbol;

/** The page is a copy at another URL, which the provider would not return to. */
export class MisplacedError extends Error {}
/** The answer does not belong to a sign-in that this tab started. */
export class UnaskedError extends Error {}

/**
 * Navigates to the provider.
 *
 * @throws {MisplacedError} if the page is not at the URL it was built for.
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
 * The access token after a return from the provider; null if the page was opened otherwise. In every case, the URL
 * and the tab's storage are cleared.
 *
 * @throws {UnaskedError} if this tab did not start the sign-in.
 * @throws {oauth.AuthorizationResponseError} if the provider denied access.
 * @throws {oauth.ResponseBodyError} if the provider rejected the code.
 */
export async function arriveFromSignIn(way: SigningIn, tab: Tab): Promise<string | null> {
  const answer = tab.address();
  const isAnswer = ['code', 'error'].some((name) => answer.searchParams.has(name));
  if (!isAnswer) return null;
  // Comes first, because reading the storage may throw.
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

/** The provider's metadata, as the board publishes it. */
async function readServer({ board, client }: SigningIn, tab: Tab) {
  const address = `${board}/.well-known/oauth-authorization-server`;
  const response = await tab.fetch(address, polite({ headers: { Accept: 'application/json' } }));
  // The board is down or cannot reach an external provider.
  if (!response.ok) throw new TypeError(`The board answered ${response.status}`);
  return oauth.processDiscoveryResponse(new URL(client.issuer), response);
}

/**
 * The audience of the token. External providers support one of two parameter names and ignore the other.
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

/** Sends only what is required, and caches nothing. */
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
