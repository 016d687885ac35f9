/** OAuth scopes, resources and redirect URLs of connected apps. */
import { LOOPBACK_NAMES } from './loopback.ts';

/** The scopes, in display order. */
export const SCOPES = ['openid', 'profile', 'email', 'offline_access'] as const;
export type Scope = (typeof SCOPES)[number];

/** The scope that every protected operation requires. */
export const NEEDED_SCOPE: Scope = 'openid';

/** The resource that an access token is valid for: the REST API or the MCP server. */
export type Resource = 'api' | 'mcp';

/** The path of the MCP server. */
export const MCP_PATH = '/api/mcp';

/** The audience of tokens for a resource. */
export function audienceOf(resource: Resource, baseUrl: string): string {
  return resource === 'api' ? baseUrl : baseUrl + MCP_PATH;
}

/** The audience for a resource indicator; null if it is not a resource of this board. */
export function audienceNamed(indicator: string, baseUrl: string): string | null {
  const wanted = indicator === `${baseUrl}/` ? baseUrl : indicator;
  return wanted === baseUrl || wanted === baseUrl + MCP_PATH ? wanted : null;
}

/**
 * The audiences that a resource accepts. Clients that know only the board's metadata request tokens for its base
 * URL, so these are accepted everywhere.
 */
export function acceptedAudiences(resource: Resource, baseUrl: string): string[] {
  const api = audienceOf('api', baseUrl);
  return resource === 'api' ? [api] : [audienceOf('mcp', baseUrl), api];
}

/**
 * The path of a protected resource's metadata.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9728#section-3.1 | RFC 9728, section 3.1}
 */
export function resourceMetadataPath(resource: Resource): string {
  return `/.well-known/oauth-protected-resource${resource === 'api' ? '' : MCP_PATH}`;
}

/** Whether a URL leads to the machine that the browser runs on. */
export function isLoopbackUrl(text: string): boolean {
  return URL.canParse(text) && LOOPBACK_NAMES.includes(new URL(text).hostname);
}

/** Whether a browser could read a URL differently: browsers drop line breaks and turn backslashes into slashes. */
export function isAmbiguousUrl(text: string): boolean {
  return /[\s\\\p{Cc}]/u.test(text);
}

/** Whether a URL is in the form that browsers use. The slash of an empty path may be missing. */
export function isCanonicalUrl(text: string): boolean {
  if (isAmbiguousUrl(text) || !URL.canParse(text)) return false;
  const { href, origin, pathname, search } = new URL(text);
  return text === href || (pathname === '/' && text === origin + search);
}

/** Whether authorization codes may be sent to a URL: https, or http on the machine that the browser runs on. */
export function mayReceiveCodes(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  if (username !== '' || password !== '' || hash !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackUrl(text));
}
