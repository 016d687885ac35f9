/** The content of objects, which their keys name. */
import { createHash } from 'node:crypto';
import type { CopiedTable, CopiedValue } from '#db/replica-tables.ts';
import { zstdCompressSync, zstdDecompressSync } from '#db/threads/compression.ts';
import { FactsError } from './facts-error.ts';

/** An object to store. Its content never changes. */
export interface FactsObject {
  key: string;
  bytes: Buffer;
}

/** Rows of tables, and what is not in tables, as a JSON value. */
export interface FactsContent {
  tables: CopiedTable[];
  facts?: unknown;
}

const VERSION_LENGTH = 16;
const LINE_FEED = 10;

/** A line of JSON, in which bytes are replaced by their length, followed by all bytes. */
export function packContent({ tables, facts = null }: FactsContent): Buffer {
  const blobs: Uint8Array[] = [];
  const held = (value: CopiedValue) => {
    if (!(value instanceof Uint8Array)) return value;
    blobs.push(value);
    return { bytes: value.length };
  };
  const packed = tables
    .filter(({ values }) => (values[0]?.length ?? 0) > 0)
    .map(({ values, ...table }) => ({ ...table, values: values.map((each) => each.map(held)) }));
  const line = `${JSON.stringify({ tables: packed, facts })}\n`;
  return Buffer.concat([Buffer.from(line), ...blobs]);
}

type Packed = CopiedValue | { bytes: number };

function unpackContent(content: Buffer): FactsContent {
  const end = content.indexOf(LINE_FEED);
  const { tables, facts } = JSON.parse(content.toString('utf8', 0, end)) as {
    tables: (Omit<CopiedTable, 'values'> & { values: Packed[][] })[];
    facts: unknown;
  };
  let at = end + 1;
  const restored = (value: Packed) => {
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
    return content.subarray(at, (at += value.bytes));
  };
  const all = tables.map(({ values, ...table }) => {
    return { ...table, values: values.map((each) => each.map(restored)) };
  });
  return { tables: all, facts };
}

/** A name that changes with the content. */
export function versionOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, VERSION_LENGTH);
}

export function keyOf(unit: string, version: string): string {
  return `facts/${unit}/${version}`;
}

export function fileKey(sha256: string): string {
  return `facts/files/${sha256}`;
}

export const compress = (content: Uint8Array): Buffer => zstdCompressSync(content);

/**
 * The content of an object, compared with the version that its key names.
 *
 * @throws {FactsError} `missing` or `damaged`.
 */
export function readObject(key: string, bytes: Uint8Array | null): Buffer {
  if (bytes === null) throw new FactsError('missing', `The object store has no ${key}`);
  const content = decompressed(key, bytes);
  if (key.endsWith(`/${versionOf(content)}`)) return content;
  throw new FactsError('damaged', `${key} in the object store does not have its content`);
}

/** @throws {FactsError} `missing` or `damaged`. */
export function readContent(key: string, bytes: Uint8Array | null): FactsContent {
  return unpackContent(readObject(key, bytes));
}

function decompressed(key: string, bytes: Uint8Array): Buffer {
  try {
    return zstdDecompressSync(bytes);
  } catch (error) {
    throw new FactsError('damaged', `${key} in the object store is damaged`, { cause: error });
  }
}
