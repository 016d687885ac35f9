/**
 * Sign-in with GitHub and X. The library creates URLs, state and proof keys. The requests are made here, because
 * the library's requests follow redirects, have no timeout and read responses of any size.
 */
import { CodeChallengeMethod, OAuth2Client, generateCodeVerifier, generateState } from 'arctic';
import { DomainError } from '#core/domain/text/errors.ts';
import { METHOD_NAMES } from '#core/domain/account/sign-in-method.ts';
import type { UpstreamName } from '#core/schema/account.ts';
import { boundedFetch } from '../provider/bounded-fetch.ts';

export interface UpstreamSite {
  name: UpstreamName;
  clientId: string;
  clientSecret: string;
  url: string;
  apiUrl: string;
  redirectUri: string;
}

interface UpstreamUser {
  /** The user's permanent ID at the site. Names can change hands. */
  id: string;
  /** The user's current name at the site. */
  label: string;
  /** The organizations of which the user is a member, among those that were asked about. */
  githubOrganizations?: readonly string[];
}

const LABEL_LENGTH = 60;

interface Manner {
  authorizePath: string;
  tokenUrl: (site: UpstreamSite) => string;
  userPath: string;
  scopes: string[];
  client: 'basic' | 'body';
  /** The user in a response; null if it has none. */
  userOf: (answer: object) => UpstreamUser | null;
}

const MANNERS: Readonly<Record<UpstreamName, Manner>> = {
  github: {
    authorizePath: '/login/oauth/authorize',
    tokenUrl: ({ url }) => `${url}/login/oauth/access_token`,
    userPath: '/user',
    // Without a scope, a token can read only public data.
    scopes: [],
    client: 'body',
    userOf: ({ id, login }: { id?: unknown; login?: unknown }) =>
      Number.isSafeInteger(id) && typeof login === 'string'
        ? { id: String(id), label: login.slice(0, LABEL_LENGTH) }
        : null,
  },
  twitter: {
    authorizePath: '/i/oauth2/authorize',
    tokenUrl: ({ apiUrl }) => `${apiUrl}/2/oauth2/token`,
    userPath: '/2/users/me',
    scopes: ['users.read', 'tweet.read'],
    client: 'basic',
    userOf: ({ data }: { data?: { id?: unknown; username?: unknown } }) =>
      typeof data?.id === 'string' &&
      /^\d{1,30}$/.test(data.id) &&
      typeof data.username === 'string'
        ? { id: data.id, label: `@${data.username}`.slice(0, LABEL_LENGTH) }
        : null,
  },
};

/** @param organizations Those whose members the board expects. The token must then be able to read memberships. */
export function departure(
  site: UpstreamSite,
  organizations: readonly string[],
): { url: string; state: string; verifier: string } {
  const { authorizePath, scopes } = MANNERS[site.name];
  const client = new OAuth2Client(site.clientId, site.clientSecret, site.redirectUri);
  const [state, verifier] = [generateState(), generateCodeVerifier()];
  const url = client.createAuthorizationURLWithPKCE(
    site.url + authorizePath,
    state,
    CodeChallengeMethod.S256,
    verifier,
    site.name === 'github' && organizations.length > 0 ? [...scopes, 'read:org'] : scopes,
  );
  return { url: url.href, state, verifier };
}

/**
 * The user who returned from a site with a code. The site's token is used once and not stored.
 *
 * @throws {DomainError} `sign_in_failed` if the site rejects the code.
 * @throws {DomainError} `method_unavailable` if the site does not respond as expected.
 */
export async function arrival(
  site: UpstreamSite,
  code: string,
  verifier: string,
  organizations: readonly string[],
): Promise<UpstreamUser> {
  const { userPath, userOf } = MANNERS[site.name];
  const token = await exchange(site, code, verifier);
  const headers = { Authorization: `Bearer ${token}` };
  const { status, answer } = await ask(site, site.apiUrl + userPath, { headers });
  const user = status === 200 ? userOf(answer) : null;
  if (!user) throw unavailable(site, `returned status ${status} instead of the user who signed in`);
  if (site.name !== 'github') return user;
  return { ...user, githubOrganizations: await membershipsOf(site, headers, organizations) };
}

/** A person who does not let the board read memberships is a member of none. */
async function membershipsOf(
  site: UpstreamSite,
  headers: Record<string, string>,
  organizations: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const name of organizations) {
    const url = `${site.apiUrl}/user/memberships/orgs/${encodeURIComponent(name)}`;
    const { status, answer } = await ask(site, url, { headers });
    if (status === 200 && (answer as { state?: unknown }).state === 'active') found.push(name);
  }
  return found;
}

async function exchange(site: UpstreamSite, code: string, verifier: string): Promise<string> {
  const { tokenUrl, client } = MANNERS[site.name];
  const { clientId, clientSecret, redirectUri } = site;
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...(client === 'body' && { client_id: clientId, client_secret: clientSecret }),
  });
  const headers = client === 'basic' ? { Authorization: basic(clientId, clientSecret) } : {};
  const request = { method: 'POST', body, headers };
  const { status, answer } = await ask(site, tokenUrl(site), request);
  const { access_token: token, error } = answer as { access_token?: unknown; error?: unknown };
  if (status === 200 && typeof token === 'string' && error === undefined) return token;
  // GitHub reports errors with status 200. Other errors are about the board's OAuth app, which the admin must fix.
  if (error === 'invalid_grant' || error === 'bad_verification_code') {
    throw new DomainError(
      'sign_in_failed',
      'The code from the other site was already used or has expired',
    );
  }
  throw unavailable(site, `rejected this board's OAuth app (${refusalWord(error, status)})`);
}

function refusalWord(error: unknown, status: number): string {
  return typeof error === 'string' && /^\w{1,64}$/.test(error) ? error : `HTTP ${status}`;
}

/** Returns a site's JSON response. Redirects, slow responses and large responses are errors. */
async function ask(site: UpstreamSite, url: string, request: RequestInit) {
  const headers = { Accept: 'application/json', 'User-Agent': 'opbench', ...request.headers };
  try {
    const response = await boundedFetch(url, { ...request, headers });
    const answer: unknown = await response.json();
    if (typeof answer !== 'object' || answer === null)
      throw new TypeError('The response is not an object');
    return { status: response.status, answer };
  } catch (error) {
    throw unavailable(
      site,
      error instanceof SyntaxError ? 'did not return JSON' : 'did not respond',
    );
  }
}

/**
 * HTTP Basic credentials. Both parts are form-encoded before they are joined.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1 | RFC 6749, section 2.3.1}
 */
function basic(clientId: string, clientSecret: string): string {
  const [id, secret] = [clientId, clientSecret].map((text) =>
    new URLSearchParams({ '': text }).toString().slice(1),
  );
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
}

function unavailable({ name }: UpstreamSite, what: string): DomainError {
  return new DomainError('method_unavailable', `${METHOD_NAMES[name]} ${what}`);
}
