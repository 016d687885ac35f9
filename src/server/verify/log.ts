/** Checks the whole log in the database, including entries that the public log withholds. */
import { createHash } from 'node:crypto';
import type { LogHead } from '#db/engine/inspection.ts';
import type { PublicLogEntry } from '#db/public-log.ts';
import { LogChain } from '#core/domain/log/log-chain.ts';
import { EntriesCheck } from '#core/domain/log/log-entries-check.ts';
import { type FindingCode, Findings, type LogFinding } from '#core/domain/log/log-finding.ts';
import type { EntryLine } from '#core/schema/public-log.ts';
import { isSoundPublicKey, sha256, verifyEd25519 } from '../process/crypto.ts';
import { entryLine } from '../public-log/lines.ts';

/** The codes of findings in a whole board. Scripts read them. */
type WholeFindingCode =
  | FindingCode
  | 'bucket'
  | 'copy_differs'
  | 'copy_invalid'
  | 'database'
  | 'entry_missing'
  | 'entry_owner'
  | 'payload_missing'
  | 'reference'
  | 'stored_key'
  | 'stored_view'
  | 'submission_facts'
  | 'submission_missing'
  | 'submission_state'
  | 'submission_stray'
  | 'tile';

/** One fault. The message is a sentence. */
export type WholeFinding = Omit<LogFinding, 'code' | 'line'> & { code: WholeFindingCode };

export type WholeFindings = Findings<WholeFinding>;

/** The cryptographic functions that a check of the log uses. */
export const CHECK_TOOLS = {
  sha256,
  verify: verifyEd25519,
  isSoundPublicKey,
  createHash: () => createHash('sha256'),
};

/**
 * Checks the hashes, digests, signatures and receipts of every entry, and that only erased and lost entries lack a payload.
 *
 * @param baseUrl The board's current address. Submissions signed for another one are counted separately.
 */
export function checkEntries(
  entries: Iterable<PublicLogEntry>,
  baseUrl: string,
  findings: WholeFindings,
): EntriesCheck {
  const check = new EntriesCheck(baseUrl, CHECK_TOOLS);
  for (const entry of entries) check.add(shownEntry(entry), (finding) => findings.add(finding));
  for (const [first, last] of check.chain.withheld()) {
    const which = first === last ? `entry ${first} has` : `entries ${first}–${last} have`;
    const message = `${which} no payload, but no erasure or restore covers this`;
    findings.add({ code: 'payload_missing', message, log_index: first });
  }
  return check;
}

/** The result of checking a log's hash chain. */
interface ChainCheck {
  head: LogHead | null;
  entries: number;
  /** The first faults; empty if the chain is valid. */
  findings: readonly LogFinding[];
}

/**
 * Recomputes all hashes of a log and the digests of existing payloads, reading one entry at a time. Does not check
 * signatures.
 */
export function checkChain(entries: Iterable<Omit<PublicLogEntry, 'answer'>>): ChainCheck {
  const findings = new Findings();
  const chain = new LogChain(sha256);
  let count = 0;
  for (const entry of entries) {
    count += 1;
    const shown = shownEntry({ ...entry, answer: null });
    chain.add(shown, (finding) => findings.add({ line: null, ...finding }));
  }
  const { log_index, entry_hash } = chain.last;
  const head = entry_hash === null || count === 0 ? null : { log_index, entry_hash };
  return { head, entries: count, findings: findings.kept };
}

/**
 * An entry as the public log shows it for public operators. An unreadable answer yields no receipt, and the check
 * then reports the receipt as missing.
 */
export function shownEntry(entry: PublicLogEntry): EntryLine {
  try {
    return { ...entryLine(entry, true), check: '' };
  } catch {
    return { ...entryLine({ ...entry, answer: null }, true), check: '' };
  }
}
