import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';
import { DomainError } from '#core/domain/text/errors.ts';
import type { ApiKey } from '#server/identity/api-keys.ts';
import { type Count, QuotaError, type RateLimiter } from '#server/process/rate-limit.ts';
import type { ResponsePolicy } from '../routes/response-policy.ts';
import { rateLimitFields } from '../response/problem.ts';

export interface GateOptions {
  limiter: RateLimiter;
  /** Returns the API key for its text, or null. */
  readKey: (text: string) => ApiKey | null;
  proxies: BlockList | null;
}

/** The result of counting a request. */
export interface Admission {
  /** The key of the client's rate limit windows. */
  client: string;
  apiKey: ApiKey | null;
  /** The rate limit headers of the response: name, value, name, value. */
  fields: readonly string[];
  /** Why the request is rejected; null if it is not. */
  refusal: DomainError | null;
}

/**
 * Creates the function that counts requests before anything is looked up. Responses to public reads report the
 * remaining quota. Requests with an API key count against the key, and those with an invalid key against the address.
 */
export function gate(options: GateOptions) {
  const { limiter, proxies } = options;
  return (request: IncomingMessage, { limit }: Pick<ResponsePolicy, 'limit'>): Admission => {
    const { headers, socket } = request;
    const forwardedFor = proxies ? headers['x-forwarded-for']?.toString() : undefined;
    const client = clientOf(clientAddress(socket.remoteAddress ?? '', forwardedFor, proxies));
    if (limit === 'public') return admitReader(options, client, headers['x-api-key']?.toString());
    const count = limiter.count(limit, client);
    return { client, apiKey: null, fields: [], refusal: refusalOf(count) };
  };
}

function admitReader({ limiter, readKey }: GateOptions, client: string, text: string | undefined) {
  const apiKey = text === undefined ? null : readKey(text);
  const count = apiKey
    ? limiter.count('key', apiKey.id, { quota: apiKey.per_minute })
    : limiter.count('public', client);
  const isBadKey = text !== undefined && !apiKey;
  const refusal = refusalOf(count) ?? (isBadKey ? badKey() : null);
  return { client, apiKey, fields: rateLimitFields(count), refusal };
}

function refusalOf(count: Count): QuotaError | null {
  return count.refused ? new QuotaError(count) : null;
}

function badKey(): DomainError {
  return new DomainError(
    'api_key_invalid',
    'The API key in x-api-key is mistyped, unknown or revoked',
  );
}

/** An IPv4 address mapped into IPv6, dotted or in hex. */
const MAPPED = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i;

/**
 * The address of the client: the socket's, or the one in X-Forwarded-For if the peer is a trusted proxy. Each proxy
 * appends the address of its client at the right end, so the list is read from there, as long as proxies are trusted.
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | undefined,
  proxies: BlockList | null,
): string {
  if (proxies === null || forwardedFor === undefined || !isAmong(proxies, peer)) return peer;
  let client = peer;
  for (const hop of forwardedFor.split(',').reverse()) {
    const address = withoutPort(hop.trim());
    if (isIP(address) === 0) return client;
    client = address;
    if (!isAmong(proxies, address)) return client;
  }
  return client;
}

/** The key of a client's windows: its IPv4 address, or its IPv6 /64. */
export function clientOf(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = mappedAddress(address);
  if (mapped !== null) return mapped;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  const rest = tail === undefined ? [] : tail.split(':').filter(Boolean);
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0');
  const network = [...groups, ...zeros, ...rest].slice(0, 4);
  return network.map((group) => parseInt(group, 16).toString(16)).join(':');
}

/** Some gateways add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? hop.replace(/^([\d.]+):\d+$/, '$1');
}

function isAmong(proxies: BlockList, address: string): boolean {
  return proxies.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}

/** Returns the IPv4 address in a mapped IPv6 address, or null. */
function mappedAddress(address: string): string | null {
  const [, dotted, high, low] = MAPPED.exec(address) ?? [];
  if (dotted !== undefined) return dotted;
  if (high === undefined || low === undefined) return null;
  const bits = (parseInt(high, 16) << 16) | parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
}
