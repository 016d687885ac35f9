/** Reads log entries from the leaves of the Merkle tree, which do not contain payloads. */
import type { EntryLine } from '#core/schema/public-log.ts';
import type { Sha256 } from '../signing/dsse.ts';
import { entryParts, hex } from './log-entry.ts';

/** An entry without salt, payload and receipt. */
export type BareEntry = Omit<EntryLine, 'check'>;

/** Reads a leaf. Null if it is not exactly the text of an entry. */
export function bareEntry(leaf: Uint8Array, sha256: Sha256): BareEntry | null {
  const parts = entryParts(Buffer.from(leaf).toString('latin1'));
  if (!parts) return null;
  const { index: log_index, ...chained } = parts;
  const entry_hash = hex(sha256(leaf));
  const nothing = { salt: null, payload: null, receipt: null };
  return { line: 'entry', log_index, ...chained, entry_hash, ...nothing };
}
