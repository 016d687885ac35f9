/** Reads log entries from the leaves of the Merkle tree, which do not contain payloads. */
import type { EntryLine } from '#core/schema/public-log.ts';
import type { Sha256 } from '../signing/dsse.ts';
import { hex } from './log-entry.ts';

/** An entry without salt, payload and receipt. */
export type BareEntry = Omit<EntryLine, 'check'>;

// As in `entryText`. Later versions may add kinds.
const LEAF =
  /^([1-9]\d{0,14})\n([a-z][a-z-]{0,39})\n([0-9a-f]{64})\n(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\n([0-9a-f]{64})\n$/;

/** Reads a leaf. Null if it is not exactly the text of an entry. */
export function bareEntry(leaf: Uint8Array, sha256: Sha256): BareEntry | null {
  const found = LEAF.exec(Buffer.from(leaf).toString('latin1'));
  if (!found) return null;
  const [, index, kind = '', previous = '', received_at = '', payload_digest = ''] = found;
  const entry_hash = hex(sha256(leaf));
  const head = { line: 'entry' as const, log_index: Number(index), kind, previous, received_at };
  return { ...head, payload_digest, entry_hash, salt: null, payload: null, receipt: null };
}
