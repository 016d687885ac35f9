/**
 * The hash chain of the log: entries without gaps, each with the hash of the one before. Also tracks empty entries.
 *
 * @module
 */
import type { LogKind } from '#core/schema/log.ts';
import type { EntryLine } from '#core/schema/public-log.ts';
import type { Sha256 } from '../signing/dsse.ts';
import { firstNot } from '../text/binary-search.ts';
import type { LogFinding } from './log-finding.ts';
import { GENESIS_HASH, entryHash, fromHex, payloadDigest } from './log-entry.ts';

/** A range of entries. */
export type Stretch = readonly [first: number, last: number];

type Report = (finding: Omit<LogFinding, 'line'>) => void;

export class LogChain {
  readonly #sha256: Sha256;
  #lastIndex = 0;
  /** Null if the entry before could not be read. */
  #lastHash: string | null = GENESIS_HASH;
  /** Ranges of empty entries: first, last, and the number of empty entries before the first. */
  readonly #empty: [number, number, number][] = [];
  readonly #erased: Stretch[] = [];
  readonly #lost: Stretch[] = [];

  constructor(sha256: Sha256) {
    this.#sha256 = sha256;
  }

  get last(): { log_index: number; entry_hash: string | null } {
    return { log_index: this.#lastIndex, entry_hash: this.#lastHash };
  }

  /** Checks the next entry. Returns whether its hash covers its payload. */
  add(entry: EntryLine, report: Report): boolean {
    const { log_index, previous, payload_digest, entry_hash, salt, payload } = entry;
    const at = { log_index };
    if (log_index !== this.#lastIndex + 1) {
      const message = `entry ${log_index} comes where entry ${this.#lastIndex + 1} should be`;
      report({ code: 'entry_misplaced', message, ...at });
    } else if (this.#lastHash !== null && previous !== this.#lastHash) {
      const message = `entry ${log_index} does not contain the hash of the entry before it`;
      report({ code: 'entry_hash', message, ...at });
    }
    const head = {
      index: log_index,
      kind: entry.kind as LogKind,
      previous,
      received_at: entry.received_at,
    };
    if (entryHash(head, payload_digest, this.#sha256) !== entry_hash) {
      const message = `the hash of entry ${log_index} does not match its contents`;
      report({ code: 'entry_hash', message, ...at });
    }
    this.#lastIndex = log_index;
    this.#lastHash = entry_hash;
    if (salt === null || payload === null) {
      this.#addEmpty(log_index);
      if (salt === payload && entry.receipt === null) return false;
      const message = `entry ${log_index} has only some of its payload, salt and receipt`;
      report({ code: 'payload_invalid', message, ...at });
      return false;
    }
    const bytes = new TextEncoder().encode(payload);
    const isCovered = payloadDigest(fromHex(salt), bytes, this.#sha256) === payload_digest;
    if (!isCovered) {
      const message = `the salt and payload of entry ${log_index} do not match its digest`;
      report({ code: 'payload_digest', message, ...at });
    }
    return isCovered;
  }

  /** Forgets the hash of an entry that could not be read. */
  lose(): void {
    this.#lastHash = null;
  }

  /** Applies an `erase` entry. */
  erase(stretches: readonly Stretch[], entry: EntryLine, report: Report): void {
    this.#checkEmpty('erased', stretches, entry, report);
    this.#erased.push(...stretches);
  }

  /** Applies a `lost` entry: the contents of these entries were lost when the board was restored from a backup. */
  lost(stretches: readonly Stretch[], entry: EntryLine, report: Report): void {
    this.#checkEmpty('lost', stretches, entry, report);
    this.#lost.push(...stretches);
  }

  #checkEmpty(
    what: string,
    stretches: readonly Stretch[],
    { log_index }: EntryLine,
    report: Report,
  ): void {
    for (const [first, last] of stretches) {
      if (first <= last && last < log_index && this.emptyIn(first, last) === last - first + 1) {
        continue;
      }
      const message = `entry ${log_index} says that ${first} to ${last} are ${what}, but not all of them are empty`;
      report({ code: 'payload_invalid', message, log_index });
    }
  }

  /** The number of empty entries in a range. */
  emptyIn(first: number, last: number): number {
    return this.#emptyUpTo(last) - this.#emptyUpTo(first - 1);
  }

  /** The number of entries that their owners erased, that a restore lost, and that are withheld. */
  counts(): { erased: number; lost: number; withheld: number } {
    const unerased = lengthOf(this.#unnamedIn(this.#erased));
    const withheld = lengthOf(this.withheld());
    const erased = this.emptyIn(1, this.#lastIndex) - unerased;
    return { erased, lost: unerased - withheld, withheld };
  }

  /** The ranges of empty entries that no `erase` or `lost` entry names. */
  withheld(): Stretch[] {
    return this.#unnamedIn([...this.#erased, ...this.#lost]);
  }

  #unnamedIn(stretches: readonly Stretch[]): Stretch[] {
    const named = stretches.toSorted((a, b) => a[0] - b[0]);
    const found: Stretch[] = [];
    let next = 0;
    let done = 0;
    for (const [first, last] of this.#empty) {
      let from = Math.max(first, done + 1);
      for (let stretch = named[next]; stretch && stretch[0] <= last; stretch = named[++next]) {
        if (from < stretch[0]) found.push([from, stretch[0] - 1]);
        done = Math.max(done, stretch[1]);
        from = Math.max(from, done + 1);
      }
      if (from <= last) found.push([from, last]);
    }
    return found;
  }

  #addEmpty(log_index: number): void {
    const last = this.#empty.at(-1);
    if (last?.[1] === log_index - 1) last[1] = log_index;
    else this.#empty.push([log_index, log_index, last ? last[2] + last[1] - last[0] + 1 : 0]);
  }

  /** Finds the last range that begins there or before. */
  #emptyUpTo(log_index: number): number {
    const beginsUpTo = (at: number) => (this.#empty[at]?.[0] ?? 0) <= log_index;
    const stretch = this.#empty[firstNot(this.#empty.length, beginsUpTo) - 1];
    if (!stretch) return 0;
    const [first, last, before] = stretch;
    return before + Math.min(last, log_index) - first + 1;
  }
}

function lengthOf(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}
