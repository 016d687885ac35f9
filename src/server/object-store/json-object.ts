/** Small objects of JSON that the writer replaces. */
import type * as z from 'zod';
import {
  type GetOptions,
  type ObjectStore,
  ObjectStoreError,
  type PlainGetOptions,
} from './object-store.ts';

export interface Found<Value> {
  value: Value;
  etag: string;
}

interface JsonObject<Value> {
  key: string;
  schema: z.ZodType<Value>;
}

/**
 * Reads an object; null if there is none.
 *
 * @throws {ObjectStoreError} also `refused` if it has another format, as that of a later version.
 */
export function readJson<Value>(
  store: Pick<ObjectStore, 'get'>,
  of: JsonObject<Value>,
  options?: PlainGetOptions,
): Promise<Found<Value> | null>;
export function readJson<Value>(
  store: Pick<ObjectStore, 'get'>,
  of: JsonObject<Value>,
  options: GetOptions,
): Promise<Found<Value> | 'unchanged' | null>;
export async function readJson<Value>(
  store: Pick<ObjectStore, 'get'>,
  { key, schema }: JsonObject<Value>,
  options: GetOptions = {},
): Promise<Found<Value> | 'unchanged' | null> {
  const found = await store.get(key, options);
  if (found === null || found === 'unchanged') return found;
  const parsed = schema.safeParse(valueOf(found.bytes));
  if (parsed.success) return { value: parsed.data, etag: found.etag };
  const reason = 'has a format that this version cannot read. Use the version that wrote it';
  throw new ObjectStoreError('refused', `The object "${key}" ${reason}.`);
}

export function jsonBytes(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

export const JSON_OBJECT = {
  contentType: 'application/json',
  cacheControl: 'no-store',
};

function valueOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
