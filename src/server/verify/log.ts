/** The whole log as the database holds it, with everybody's entries shown. */
import { createHash } from 'node:crypto';
import type { LogHead } from '#db/engine/inspection.ts';
import type { PublicLogEntry } from '#db/public-log.ts';
import { isSoundPublicKey } from '#core/domain/signing/ed25519.ts';
import { LogChain } from '#core/domain/log/log-chain.ts';
import { EntriesCheck } from '#core/domain/log/log-entries-check.ts';
import { type FindingCode, Findings, type LogFinding } from '#core/domain/log/log-finding.ts';
import type { EntryLine } from '#core/schema/public-log.ts';
import { sha256, verifyEd25519 } from '../process/crypto.ts';
import { entryLine } from '../public-log/lines.ts';

/** What a finding in a whole board is called; scripts read it. */
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
  | 'submission_stray';

/** One thing that is not as it must be; the message is a sentence. */
export type WholeFinding = Omit<LogFinding, 'code' | 'line'> & { code: WholeFindingCode };

export type WholeFindings = Findings<WholeFinding>;

/** What a check of the log computes with. */
export const CHECK_TOOLS = {
  sha256,
  verify: verifyEd25519,
  isSoundPublicKey,
  createHash: () => createHash('sha256'),
};

/**
 * Checks every entry: hashes, digests, signatures and receipts, and that nothing is empty but what an erasure names.
 *
 * @param baseUrl The board's address now; submissions that were signed for another are counted apart.
 */
export function checkEntries(
  entries: Iterable<PublicLogEntry>,
  baseUrl: string,
  findings: WholeFindings,
): EntriesCheck {
  const check = new EntriesCheck(baseUrl, CHECK_TOOLS);
  for (const entry of entries) check.add(shownEntry(entry), (finding) => findings.add(finding));
  for (const [first, last] of check.chain.withheld()) {
    const which = first === last ? `entry ${first} has` : `entries ${first} to ${last} have`;
    const message = `${which} no payload, though no erasure names them`;
    findings.add({ code: 'payload_missing', message, log_index: first });
  }
  return check;
}

/** What the chain of a log's hashes tells. */
interface ChainCheck {
  head: LogHead | null;
  entries: number;
  /** The first of what is wrong; nothing if the chain holds. */
  findings: readonly LogFinding[];
}

/**
 * Recomputes all hashes of a log, and the digests of the payloads that are there; signatures are not looked at.
 * Entries are taken one at a time.
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
 * An entry as the public log shows those of whom it shows openly. An answer that is none shows no receipt, which is
 * then found to be missing.
 */
export function shownEntry(entry: PublicLogEntry): EntryLine {
  try {
    return { ...entryLine(entry, true), check: '' };
  } catch {
    return { ...entryLine({ ...entry, answer: null }, true), check: '' };
  }
}
