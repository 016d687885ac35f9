import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { constants, gunzipSync } from 'node:zlib';
import { readLine } from '#core/domain/public-log-line.ts';
import type { HeaderLine } from '#core/schema/public-log.ts';
import { sha256 } from '../identity/crypto.ts';

/** A public log on disk. */
export interface StoredLog {
  header: HeaderLine;
  size: number;
  etag: string;
}

/** The header is the first line, and short. */
const HEAD_BYTES = 16 * 1024;

/** What is told of a packed public log; null if there is none that can be read. */
export function readStoredLog(path: string): StoredLog | null {
  try {
    const { size, mtimeMs } = statSync(path);
    const text = gunzipSync(headOf(path), { finishFlush: constants.Z_SYNC_FLUSH }).toString();
    const { line, isWhole } = readLine(text.slice(0, text.indexOf('\n')), sha256);
    if (line?.line !== 'header' || !isWhole) return null;
    const etag = `"${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}"`;
    return { header: line, size, etag };
  } catch {
    return null;
  }
}

function headOf(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    return bytes.subarray(0, readSync(file, bytes, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(file);
  }
}
