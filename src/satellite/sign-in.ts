/**
 * Signing in where no cookie of the board reaches the page: OAuth's code flow with PKCE, as a public
 * client. Between leaving and coming back the tab keeps what the answer must fit, and nothing after.
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
  /** Shows another address without loading it, in place of this one. */
  rename(address: string): void;
  leave(address: string): void;
  /** What outlives the page in this tab. */
  storage(): Pick<Storage, 'getItem' | 'removeItem' | 'setItem'>;
  fetch(address: string, init: RequestInit): Promise<Response>;
}

export interface SigningIn {
  /** The board's address, without slash at its end. */
  board: string;
  client: SatelliteClient;
}

interface Asked {
  state: string;
  nonce: string;
  verifier: string;
}

/** Where the tab keeps it, by the page's own address: other pages may share the host. */
const keyOf = ({ client }: SigningIn) => `opbench-sign-in ${client.redirect_uri}`;

/** Marked as deprecated there so that nobody uses it unawares; on loopback there is no TLS. */
const ALLOW_INSECURE = Reflect.get(oauth, 'allowInsecureRequests') as symbol;

/** A copy of the page at another address, which the provider would not lead back to. */
export class MisplacedError extends Error {}
/** The answer belongs to no sign-in that this tab began. */
export class UnaskedError extends Error {}

/**
 * Leaves for the provider.
 *
 * @throws {MisplacedError} if the page does not stand where it was made for.
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
 * The access token that the provider led back with, or null if it did not lead here. Whatever comes of it,
 * neither address nor tab hold anything of it afterwards.
 *
 * @throws {UnaskedError} if it answers nothing that this tab asked.
 * @throws {oauth.AuthorizationResponseError} if the provider said no.
 * @throws {oauth.ResponseBodyError} if it refused the code.
 */
export async function arriveFromSignIn(way: SigningIn, tab: Tab): Promise<string | null> {
  const answer = tab.address();
  const isAnswer = ['code', 'error'].some((name) => answer.searchParams.has(name));
  if (!isAnswer) return null;
  // First of all: the tab may refuse to tell what it kept.
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

/** What the provider says of itself, as the board tells it. */
async function readServer({ board, client }: SigningIn, tab: Tab) {
  const address = `${board}/.well-known/oauth-authorization-server`;
  const response = await tab.fetch(address, polite({ headers: { Accept: 'application/json' } }));
  // The board cannot reach a provider elsewhere, or is not itself.
  if (!response.ok) throw new TypeError(`The board answered ${response.status}`);
  return oauth.processDiscoveryResponse(new URL(client.issuer), response);
}

/**
 * What the token is for. Providers elsewhere know it by one of two names, and who knows neither passes
 * over them.
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

/** Nothing but what is asked for goes along, and nothing of it is kept. */
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
