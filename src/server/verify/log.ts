/** The whole log as the database holds it, with everybody's entries shown. */
import type { LogHead } from '#db/engine/inspection.ts';
import type { PublicLogEntry } from '#db/public-log.ts';
import { LogChain } from '#core/domain/log/log-chain.ts';
import { Findings, type LogFinding } from '#core/domain/log/log-finding.ts';
import type { EntryLine } from '#core/schema/public-log.ts';
import { sha256 } from '../process/crypto.ts';
import { entryLine } from '../public-log/lines.ts';

/** What the chain of a log's hashes tells. */
export interface ChainCheck {
  /** The last entry; null if there is none. */
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
