/** Logs that are a single JSON document, handed to a reader as one line. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { FileReader, Reader } from '#core/readers/reader.ts';
import { Elision } from './elision.ts';

/** The longest document that is held whole, in bytes; of a longer one, long strings are left out. */
const WHOLE_BYTES = 4 << 20;

const CHUNK_BYTES = 256 << 10;

/**
 * Feeds a document to a reader, up to the size that it has now.
 *
 * @throws {Error} if it cannot be read.
 */
export function feedDocument(path: string, { needles }: Reader, file: FileReader): void {
  const text = readDocument(path);
  if (text === null) {
    // What is too much to be judged must not pass unnoticed: no text at all is a broken line.
    file.line('');
    return;
  }
  const line = text.replace(/^\uFEFF/, '').trim();
  if (line !== '' && needles.some((needle) => line.includes(needle))) file.line(line);
}

/** A document's text; null if even its structure is too much. */
function readDocument(path: string): string | null {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    return size > WHOLE_BYTES ? readShortened(file, size) : readWhole(file, size);
  } finally {
    closeSync(file);
  }
}

function readWhole(file: number, size: number): string {
  const bytes = Buffer.allocUnsafe(size);
  let filled = 0;
  for (let count = -1; count !== 0 && filled < size; filled += count) {
    count = readSync(file, bytes, filled, size - filled, null);
  }
  return bytes.toString('utf8', 0, filled);
}

function readShortened(file: number, size: number): string | null {
  const elision = new Elision();
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let left = size; left > 0;) {
    const count = readSync(file, chunk, 0, Math.min(chunk.length, left), null);
    if (count === 0) break;
    elision.push(chunk.subarray(0, count));
    left -= count;
  }
  return elision.text();
}
