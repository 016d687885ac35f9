import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';
import { DomainError } from '#core/domain/text/errors.ts';
import type { ApiKey } from '#server/identity/api-keys.ts';
import { type Count, QuotaError, type RateLimiter } from '#server/process/rate-limit.ts';
import type { ResponsePolicy } from '../routes/response-policy.ts';
import { rateLimitFields } from '../response/problem.ts';

export interface GateOptions {
  limiter: RateLimiter;
  /** What the text of an API key allows, or null. */
  readKey: (text: string) => ApiKey | null;
  proxies: BlockList | null;
}

/** A request that was counted. */
export interface Admission {
  /** What the client's windows are counted by. */
  client: string;
  apiKey: ApiKey | null;
  /** What the answer says of the limits: name, value, name, value. */
  fields: readonly string[];
  /** Why it is not let in, if so. */
  refusal: DomainError | null;
}

/**
 * Makes what counts requests before anything is looked up. Public reads say what is left; with an
 * API key they count against the key. A key that does not hold counts against the address.
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
  return new DomainError('api_key_invalid', 'The x-api-key is mistyped, unknown or revoked');
}

/** An IPv4 address as IPv6 writes it, dotted or in hex. */
const MAPPED = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i;

/**
 * The address that a request comes from: the socket's, or what trusted proxies say in
 * X-Forwarded-For. Each proxy adds the address that it heard from at the right end, so the list is
 * read from there, and only as far as proxies are trusted.
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

/** What a client's windows are counted by: its address, or an IPv6 network of 64 bits. */
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

/** The IPv4 address that an IPv6 one stands for, or null. */
function mappedAddress(address: string): string | null {
  const [, dotted, high, low] = MAPPED.exec(address) ?? [];
  if (dotted !== undefined) return dotted;
  if (high === undefined || low === undefined) return null;
  const bits = (parseInt(high, 16) << 16) | parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
}
