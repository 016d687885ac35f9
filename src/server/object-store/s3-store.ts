/** An S3-compatible object store. s3mini signs the requests; limits, retries and faults are decided here. */
import { setTimeout as wait } from 'node:timers/promises';
import { S3ServiceError, S3mini } from 's3mini';
import type { ObjectStoreConfig } from '../config/object-store-config.ts';
import {
  type GetOptions,
  type ObjectStore,
  ObjectStoreError,
  type PlainGetOptions,
  type PutOptions,
  type RequestOptions,
  type StoredObject,
} from './object-store.ts';

const ATTEMPTS = 3;
/** The wait before the second attempt. It doubles before each further one. */
const FIRST_WAIT_MS = 100;
/** A small answer, and then the slowest transfer that is accepted. */
const BASE_TIMEOUT_MS = 10_000;
const LEAST_BYTES_A_MS = 100;
const GET_TIMEOUT_MS = 60_000;
/** What one request deletes at most. */
const MOST_DELETED = 1000;

export class S3Store implements ObjectStore {
  readonly #config: ObjectStoreConfig;

  constructor(config: ObjectStoreConfig) {
    this.#config = config;
  }

  get(key: string, options?: PlainGetOptions): Promise<StoredObject | null>;
  get(key: string, options: GetOptions): Promise<StoredObject | 'unchanged' | null>;
  async get(key: string, options: GetOptions = {}): Promise<StoredObject | 'unchanged' | null> {
    const { unless } = options;
    const condition = unless === undefined ? {} : { 'if-none-match': unless };
    try {
      return await this.#ask(options, GET_TIMEOUT_MS, async (client) => {
        const name = this.#nameOf(key);
        const response = await client.getObjectRaw(name, true, 0, undefined, condition);
        const etag = etagOf(response);
        const bytes = Buffer.from(await response.arrayBuffer());
        // Some stores ignore the condition.
        return etag !== '' && etag === unless ? 'unchanged' : { bytes, etag };
      });
    } catch (error) {
      if (error instanceof AnsweredError && error.status === 304) return 'unchanged';
      if (error instanceof AnsweredError && error.isMissing) return null;
      throw error;
    }
  }

  async put(key: string, bytes: Buffer, options: PutOptions = {}): Promise<{ etag: string }> {
    let asked = 0;
    try {
      const timeoutMs = BASE_TIMEOUT_MS + bytes.length / LEAST_BYTES_A_MS;
      return await this.#ask(options, timeoutMs, async (client) => {
        asked += 1;
        // s3mini signs and sends these headers, though its types name only those of Amazon.
        const headers = headersOf(options) as Record<`x-amz-${string}`, string>;
        const { contentType } = options;
        const name = this.#nameOf(key);
        const answer = await client.putObject(name, bytes, contentType, undefined, headers);
        await answer.body?.cancel();
        return { etag: etagOf(answer) };
      });
    } catch (error) {
      const isChanged = error instanceof AnsweredError && error.fault === 'changed';
      const own = isChanged && asked > 1 ? await this.#written(key, bytes) : null;
      if (own) return own;
      throw error;
    }
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (let at = 0; at < keys.length; at += MOST_DELETED) {
      const names = keys.slice(at, at + MOST_DELETED).map((key) => this.#nameOf(key));
      await this.#ask({}, GET_TIMEOUT_MS, async (client) => {
        const deleted = await client.deleteObjects(names);
        if (deleted.includes(false)) {
          throw new ObjectStoreError('refused', 'The object store did not delete some objects.');
        }
      });
    }
  }

  async list(prefix: string): Promise<string[]> {
    const { prefix: own } = this.#config;
    const keys: string[] = [];
    let token: string | null = null;
    do {
      const query = { 'list-type': '2', prefix: own + prefix };
      const next: Record<string, string> = token === null ? {} : { 'continuation-token': token };
      const page = await this.#ask({}, GET_TIMEOUT_MS, async (client) => {
        // Not `listObjects`: it signs a slash after the bucket, which some services do not.
        const response = await client.getObjectRaw('', true, 0, undefined, { ...query, ...next });
        return response.text();
      });
      keys.push(...textsOf(page, 'Key').map((name) => name.slice(own.length)));
      const isTruncated = textsOf(page, 'IsTruncated')[0] === 'true';
      token = (isTruncated && textsOf(page, 'NextContinuationToken')[0]) || null;
    } while (token !== null);
    return keys;
  }

  /** Whether the bucket keeps old versions of objects, which outlive their deletion. Null if the store does not say. */
  async isVersioned(): Promise<boolean | null> {
    try {
      const status = await this.#ask({}, BASE_TIMEOUT_MS, (client) => client.getBucketVersioning());
      return status === 'Enabled';
    } catch (error) {
      if (error instanceof ObjectStoreError && error.fault !== 'unreachable') return null;
      throw error;
    }
  }

  #nameOf(key: string): string {
    return this.#config.prefix + key;
  }

  /** The answer to an attempt can be lost. The next one then finds what the first one wrote. */
  async #written(key: string, bytes: Buffer): Promise<{ etag: string } | null> {
    const found = await this.get(key);
    return found?.bytes.equals(bytes) ? found : null;
  }

  async #ask<Answer>(
    { attempts = ATTEMPTS, timeoutMs }: RequestOptions,
    defaultMs: number,
    work: (client: S3mini) => Promise<Answer>,
  ): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work(this.#client(timeoutMs ?? defaultMs));
      } catch (error) {
        const known = errorOf(error);
        if (known.fault !== 'unreachable' || attempt >= attempts) throw known;
        await wait(FIRST_WAIT_MS * 2 ** (attempt - 1), undefined, { ref: false });
      }
    }
  }

  #client(timeoutMs: number): S3mini {
    const { endpoint, bucket, ...credentials } = this.#config;
    return new S3mini({
      accessKeyId: credentials.accessKeyId,
      secretAccessKey: credentials.secretAccessKey,
      region: credentials.region,
      endpoint: `${endpoint}/${bucket}`,
      requestAbortTimeout: Math.ceil(timeoutMs),
      // A redirect would send the object, and the signature, to another host.
      fetch: (input, init) => fetch(input, { ...init, redirect: 'manual' }),
    });
  }
}

/** The store answered with an error. */
class AnsweredError extends ObjectStoreError {
  readonly status: number;
  readonly isMissing: boolean;

  constructor(status: number, code: string) {
    const detail = code === '' ? `${status}` : `${status} ${code}`;
    super(faultOf(status, code), `The object store answered ${detail}.`);
    this.status = status;
    this.isMissing = status === 404 && code !== 'NoSuchBucket';
  }
}

function errorOf(error: unknown): ObjectStoreError {
  if (error instanceof ObjectStoreError) return error;
  if (error instanceof S3ServiceError) {
    const [, code = ''] = /<Code>([A-Za-z]{1,60})<\/Code>/.exec(String(error.body)) ?? [];
    return new AnsweredError(error.status, code);
  }
  // What `fetch` throws is not repeated, because it can contain headers.
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  const message = isLate ? 'did not answer in time' : `cannot be reached${systemCode(error)}`;
  return new ObjectStoreError('unreachable', `The object store ${message}.`);
}

function systemCode(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  const found = [code, cause?.code].find((one) => typeof one === 'string' && /^[A-Z_]+$/.test(one));
  return found === undefined ? '' : ` (${String(found)})`;
}

function faultOf(status: number, code: string): ObjectStoreError['fault'] {
  // A store can answer 404 to a condition about an object that is gone.
  if (status === 409 || status === 412) return 'changed';
  if (status === 401 || status === 403) return 'denied';
  if (status === 501 || code === 'NoSuchBucket') return 'refused';
  return status >= 500 || status === 429 || status === 408 ? 'unreachable' : 'refused';
}

function headersOf({ cacheControl, ifMatch }: PutOptions): Record<string, string> {
  return {
    ...(cacheControl !== undefined && { 'cache-control': cacheControl }),
    ...(ifMatch === null && { 'if-none-match': '*' }),
    ...(typeof ifMatch === 'string' && { 'if-match': ifMatch }),
  };
}

/** The contents of all elements with a name. Keys of the board have no characters that XML escapes. */
function textsOf(xml: string, name: string): string[] {
  const elements = xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'));
  return [...elements].map(([, content = '']) => content);
}

function etagOf(response: { headers: { get(name: string): string | null } }): string {
  return response.headers.get('etag') ?? '';
}
