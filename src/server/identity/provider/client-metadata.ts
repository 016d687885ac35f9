/** What the board takes of what an application says of itself when it registers. */
import { isCanonicalUrl, isLoopbackUrl, mayReceiveCodes } from '#core/domain/account/oauth.ts';

const MAX_REDIRECTS = 5;
const MAX_URI = 500;
const MAX_NAME = 100;

/** A refusal as the registration endpoint words it. */
export interface RegistrationFault {
  error: 'invalid_client_metadata' | 'invalid_redirect_uri';
  error_description: string;
}

/**
 * The metadata that a client is registered with: public, with PKCE, and with nothing that the board
 * would have to fetch or show. What it asked for besides is answered as it stands here.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7591#section-2 | RFC 7591, section 2}
 */
export function registrable(body: unknown): { metadata: object } | { fault: RegistrationFault } {
  if (!isObject(body)) {
    return refused('invalid_client_metadata', 'The body must be a JSON object');
  }
  const { redirect_uris: uris, client_name: name, grant_types: grants } = body as Metadata;
  if (!isTexts(uris) || uris.length === 0 || uris.length > MAX_REDIRECTS) {
    const detail = `redirect_uris must list 1 to ${MAX_REDIRECTS} addresses`;
    return refused('invalid_redirect_uri', detail);
  }
  if (!uris.every((uri) => uri.length <= MAX_URI && mayReceiveCodes(uri))) {
    const detail = 'redirect_uris must be https, or http on localhost, 127.0.0.1 or [::1]';
    return refused('invalid_redirect_uri', detail);
  }
  if (!uris.every(isCanonicalUrl)) {
    const detail =
      'redirect_uris must be written as browsers write them: no spaces, line breaks or backslashes, host names in lower case, no default port';
    return refused('invalid_redirect_uri', detail);
  }
  return {
    metadata: {
      redirect_uris: uris,
      ...(typeof name === 'string' && name !== '' && { client_name: name.slice(0, MAX_NAME) }),
      grant_types: grantsOf(grants),
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: uris.some(isLoopbackUrl) ? 'native' : 'web',
    },
  };
}

type Metadata = Partial<Record<'client_name' | 'grant_types' | 'redirect_uris', unknown>>;

/** Codes are exchanged by all; who lists what it wants may do without refresh tokens. */
function grantsOf(grants: unknown): string[] {
  const wantsRefresh = !isTexts(grants) || grants.includes('refresh_token');
  return ['authorization_code', ...(wantsRefresh ? ['refresh_token'] : [])];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function refused(error: RegistrationFault['error'], error_description: string) {
  return { fault: { error, error_description } };
}
