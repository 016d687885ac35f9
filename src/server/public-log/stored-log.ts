import { closeSync, openSync, readSync } from 'node:fs';
import { constants, gunzipSync } from 'node:zlib';
import { readLine } from '#core/domain/log/public-log-line.ts';
import type { HeaderLine } from '#core/schema/public-log.ts';
import { sha256 } from '../process/crypto.ts';

/** The header is the first line, and short. */
const HEAD_BYTES = 16 * 1024;

/** The header of a packed public log; null if there is none that can be read. */
export function readStoredHeader(path: string): HeaderLine | null {
  try {
    const text = gunzipSync(headOf(path), { finishFlush: constants.Z_SYNC_FLUSH }).toString();
    const { line, isWhole } = readLine(text.slice(0, text.indexOf('\n')), sha256);
    return line?.line === 'header' && isWhole ? line : null;
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
