/** Logs that are a single JSON document, handed to a reader as one line. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { FileReader, Reader } from '#core/readers/reader.ts';
import { Elision } from './elision.ts';

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

/** A document's text without its long strings; null if even its structure is too much. */
function readDocument(path: string): string | null {
  const file = openSync(path, 'r');
  try {
    const elision = new Elision();
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let left = fstatSync(file).size; left > 0;) {
      const count = readSync(file, chunk, 0, Math.min(chunk.length, left), null);
      if (count === 0) break;
      elision.push(chunk.subarray(0, count));
      left -= count;
    }
    return elision.text();
  } finally {
    closeSync(file);
  }
}
