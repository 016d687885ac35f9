/**
 * Bundles of log entries: up to 256 entries, each after its length as 16 bits, most significant byte first.
 *
 * @see {@link https://c2sp.org/tlog-tiles#log-entries | C2SP tlog-tiles, log entries}
 * @module
 */
import { TILE_WIDTH } from './tile.ts';
import { TlogError } from './tlog-error.ts';

const LENGTH_BYTES = 2;
const MAX_ENTRY_BYTES = 0xff_ff;
/** The longest bundle: 256 entries of 65,535 bytes, each after its length. */
export const MAX_BUNDLE_BYTES = TILE_WIDTH * (LENGTH_BYTES + MAX_ENTRY_BYTES);

/**
 * Encodes from 1 to 256 entries.
 *
 * @throws {TlogError} if there are fewer or more, or if one has more than 65,535 bytes.
 */
export function encodeBundle(entries: readonly Uint8Array[]): Uint8Array {
  checkCount(entries.length);
  const length = entries.reduce((sum, entry) => sum + LENGTH_BYTES + entry.length, 0);
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const entry of entries) {
    if (entry.length > MAX_ENTRY_BYTES) throw new TlogError(`An entry has ${entry.length} bytes`);
    bytes.set([entry.length >> 8, entry.length & 0xff], at);
    bytes.set(entry, at + LENGTH_BYTES);
    at += LENGTH_BYTES + entry.length;
  }
  return bytes;
}

/**
 * The entries of a bundle, as parts of its bytes.
 *
 * @throws {TlogError} if it has none or more than 256, or if it ends within an entry.
 */
export function decodeBundle(bytes: Uint8Array): Uint8Array[] {
  const entries: Uint8Array[] = [];
  let at = 0;
  while (at < bytes.length) {
    const start = at + LENGTH_BYTES;
    const [high = 0, low = 0] = bytes.subarray(at, start);
    at = start + (high << 8) + low;
    if (at > bytes.length) throw new TlogError(`Entry ${entries.length} of the bundle is cut off`);
    entries.push(bytes.subarray(start, at));
    checkCount(entries.length);
  }
  checkCount(entries.length);
  return entries;
}

function checkCount(count: number): void {
  if (count < 1 || count > TILE_WIDTH) throw new TlogError(`A bundle has ${count} entries`);
}
