import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import { DomainError } from '#core/domain/text/errors.ts';
import type { ApiKey } from '#server/identity/api-keys.ts';
import { type Count, QuotaError, type RateLimiter } from '#server/process/rate-limit.ts';
import { clientAddress, clientOf } from './client.ts';
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

function admitReader(
  { limiter, readKey }: GateOptions,
  client: string,
  text: string | undefined,
): Admission {
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
