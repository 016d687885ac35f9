/** The first reading of a whole log: the chain, and who signed what. */
import type { PublicLogEntry } from '#db/public-log.ts';
import type { Stretch } from '#core/domain/log/log-chain.ts';
import { EntriesCheck } from '#core/domain/log/log-entries-check.ts';
import { CHECK_TOOLS } from './check-tools.ts';
import type { WholeFindings } from './findings.ts';
import { shownEntry } from './log.ts';

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
  const empty = new EmptyEntries();
  for (const entry of entries) {
    check.add(shownEntry(entry), (finding) => findings.add(finding));
    empty.add(entry);
  }
  for (const [first, last] of empty.unexplained()) {
    const which = first === last ? `entry ${first} has` : `entries ${first} to ${last} have`;
    const message = `${which} no payload, though no erasure names them`;
    findings.add({ code: 'payload_missing', message, log_index: first });
  }
  return check;
}

/** Which entries are empty, and which of them an erasure tells of. */
class EmptyEntries {
  readonly #empty: number[] = [];
  readonly #erased: Stretch[] = [];

  add({ log_index, kind, payload }: PublicLogEntry): void {
    if (payload === null) this.#empty.push(log_index);
    else if (kind === 'erase') this.#erased.push(...stretchesIn(payload));
  }

  /** Stretches of entries that are empty and that no erasure names. */
  unexplained(): Stretch[] {
    const erased = this.#erased.toSorted((a, b) => a[0] - b[0]);
    const found: [number, number][] = [];
    let next = 0;
    let until = 0;
    for (const index of this.#empty) {
      for (let stretch = erased[next]; stretch && stretch[0] <= index; stretch = erased[++next]) {
        until = Math.max(until, stretch[1]);
      }
      if (index <= until) continue;
      const last = found.at(-1);
      if (last?.[1] === index - 1) last[1] = index;
      else found.push([index, index]);
    }
    return found;
  }
}

/** What cannot be read is found by the check of the entry itself. */
function stretchesIn(payload: Uint8Array): Stretch[] {
  try {
    const { entries } = JSON.parse(new TextDecoder().decode(payload)) as { entries: Stretch[] };
    return [...entries];
  } catch {
    return [];
  }
}
