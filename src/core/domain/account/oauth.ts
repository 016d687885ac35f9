/** What applications can ask for, and for what. */
import { LOOPBACK_NAMES } from './loopback.ts';

/** The scopes, in the order in which they are listed. */
export const SCOPES = ['openid', 'profile', 'email', 'offline_access'] as const;
export type Scope = (typeof SCOPES)[number];

/** The scope that every protected operation needs. */
export const NEEDED_SCOPE: Scope = 'openid';

/** What access tokens are for: the REST API, or the Model Context Protocol server. */
export type Resource = 'api' | 'mcp';

/** The path of the Model Context Protocol server. */
export const MCP_PATH = '/api/mcp';

/** What a token for a resource carries as its audience. */
export function audienceOf(resource: Resource, baseUrl: string): string {
  return resource === 'api' ? baseUrl : baseUrl + MCP_PATH;
}

/** The audience that a resource indicator stands for, or null if it is none of this board's. */
export function audienceNamed(indicator: string, baseUrl: string): string | null {
  const wanted = indicator === `${baseUrl}/` ? baseUrl : indicator;
  return wanted === baseUrl || wanted === baseUrl + MCP_PATH ? wanted : null;
}

/**
 * The audiences that a resource accepts. Clients that know only the board's own metadata ask for tokens
 * of its base URL, so these serve everywhere.
 */
export function acceptedAudiences(resource: Resource, baseUrl: string): string[] {
  const api = audienceOf('api', baseUrl);
  return resource === 'api' ? [api] : [audienceOf('mcp', baseUrl), api];
}

/**
 * Where the metadata of a protected resource stands.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9728#section-3.1 | RFC 9728, section 3.1}
 */
export function resourceMetadataPath(resource: Resource): string {
  return `/.well-known/oauth-protected-resource${resource === 'api' ? '' : MCP_PATH}`;
}

/** Whether an address leads to the machine that the browser runs on. */
export function isLoopbackUrl(text: string): boolean {
  return URL.canParse(text) && LOOPBACK_NAMES.includes(new URL(text).hostname);
}

/** Whether a browser could read an address as another one: it drops line breaks and turns backslashes. */
export function isAmbiguousUrl(text: string): boolean {
  return /[\s\\\p{Cc}]/u.test(text);
}

/** Whether an address is written as a browser writes it; the slash of an empty path may be missing. */
export function isCanonicalUrl(text: string): boolean {
  if (isAmbiguousUrl(text) || !URL.canParse(text)) return false;
  const { href, origin, pathname, search } = new URL(text);
  return text === href || (pathname === '/' && text === origin + search);
}

/** Whether codes may be sent to an address: https, or http on the machine that the browser runs on. */
export function mayReceiveCodes(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  if (username !== '' || password !== '' || hash !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackUrl(text));
}
