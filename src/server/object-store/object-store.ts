/** What the board needs of an object store. `s3-store.ts` implements it for S3-compatible services. */

/** Limits of one request. */
export interface RequestOptions {
  /** Including the time to transfer the bytes. By default, it depends on their number. */
  timeoutMs?: number;
  /** How often a store that is `unreachable` is asked. Three times by default. */
  attempts?: number;
}

export interface GetOptions extends RequestOptions {
  /** Returns `unchanged` if the object still has this ETag. */
  unless?: string;
}

/** The same without an ETag, so that the answer cannot be `unchanged`. */
export interface PlainGetOptions extends RequestOptions {
  unless?: never;
}

export interface PutOptions extends RequestOptions {
  contentType?: string;
  cacheControl?: string;
  /** Replaces only the object with this ETag; null if there must be none. Some stores ignore it. */
  ifMatch?: string | null;
}

export interface StoredObject {
  bytes: Buffer;
  /** As the store writes it, with its quotes. */
  etag: string;
}

/** Keys are relative to the prefix in `OBJECT_STORE_URL`. All methods throw `ObjectStoreError`. */
export interface ObjectStore {
  /** Null if there is no such object. */
  get(key: string, options?: PlainGetOptions): Promise<StoredObject | null>;
  get(key: string, options: GetOptions): Promise<StoredObject | 'unchanged' | null>;
  put(key: string, bytes: Buffer, options?: PutOptions): Promise<{ etag: string }>;
  /** Ignores missing objects. */
  delete(keys: readonly string[]): Promise<void>;
  /** The keys that begin with a prefix, in no particular order. */
  list(prefix: string): Promise<string[]>;
}

/**
 * - `changed`: another machine wrote the object meanwhile (`ifMatch`)
 * - `denied`: the credentials are wrong, or do not allow this request
 * - `unreachable`: no answer in time, or an error of the store (5xx); another attempt may succeed
 * - `refused`: everything else, such as a bucket that does not exist
 */
export type StoreFault = 'changed' | 'denied' | 'unreachable' | 'refused';

/** A request to the object store failed. The message is a sentence without secrets. */
export class ObjectStoreError extends Error {
  override readonly name = 'ObjectStoreError';
  readonly fault: StoreFault;

  constructor(fault: StoreFault, message: string) {
    super(message);
    this.fault = fault;
  }
}
