/**
 * The chain of the log: entries without gap, each with the hash of the one before, and which of them are empty.
 *
 * @module
 */
import type { LogKind } from '#core/schema/log.ts';
import type { EntryLine } from '#core/schema/public-log.ts';
import type { Sha256 } from '../signing/dsse.ts';
import type { LogFinding } from './log-finding.ts';
import { GENESIS_HASH, entryHash, fromHex, payloadDigest } from './log-entry.ts';

/** A stretch of entries, by the first and the last. */
export type Stretch = readonly [first: number, last: number];

type Report = (finding: Omit<LogFinding, 'line'>) => void;

export class LogChain {
  readonly #sha256: Sha256;
  #lastIndex = 0;
  /** Null where the entry before could not be read. */
  #lastHash: string | null = GENESIS_HASH;
  /** First, last, and how many were empty before the first. */
  readonly #empty: [number, number, number][] = [];
  readonly #erased: Stretch[] = [];

  constructor(sha256: Sha256) {
    this.#sha256 = sha256;
  }

  get last(): { log_index: number; entry_hash: string | null } {
    return { log_index: this.#lastIndex, entry_hash: this.#lastHash };
  }

  /** Takes the next entry in; whether its payload is what the hash covers. */
  add(entry: EntryLine, report: Report): boolean {
    const { log_index, previous, payload_digest, entry_hash, salt, payload } = entry;
    const at = { log_index };
    if (log_index !== this.#lastIndex + 1) {
      const message = `entry ${log_index} stands where entry ${this.#lastIndex + 1} belongs`;
      report({ code: 'entry_misplaced', message, ...at });
    } else if (this.#lastHash !== null && previous !== this.#lastHash) {
      const message = `entry ${log_index} names another hash of the entry before than that has`;
      report({ code: 'entry_hash', message, ...at });
    }
    const head = {
      index: log_index,
      kind: entry.kind as LogKind,
      previous,
      received_at: entry.received_at,
    };
    if (entryHash(head, payload_digest, this.#sha256) !== entry_hash) {
      const message = `the hash of entry ${log_index} does not cover what stands in it`;
      report({ code: 'entry_hash', message, ...at });
    }
    this.#lastIndex = log_index;
    this.#lastHash = entry_hash;
    if (salt === null || payload === null) {
      this.#addEmpty(log_index);
      if (salt === payload && entry.receipt === null) return false;
      const message = `entry ${log_index} shows a part of what it does not show`;
      report({ code: 'payload_invalid', message, ...at });
      return false;
    }
    const bytes = new TextEncoder().encode(payload);
    const isCovered = payloadDigest(fromHex(salt), bytes, this.#sha256) === payload_digest;
    if (!isCovered) {
      const message = `salt and payload of entry ${log_index} are not what its digest was made of`;
      report({ code: 'payload_digest', message, ...at });
    }
    return isCovered;
  }

  /** Forgets the hash of an entry that could not be read. */
  lose(): void {
    this.#lastHash = null;
  }

  /** Marks what an `erase` entry tells. */
  erase(stretches: readonly Stretch[], { log_index }: EntryLine, report: Report): void {
    for (const [first, last] of stretches) {
      if (first > last || last >= log_index || this.emptyIn(first, last) !== last - first + 1) {
        const message = `entry ${log_index} calls ${first} to ${last} erased, which are not all empty`;
        report({ code: 'payload_invalid', message, log_index });
      }
      this.#erased.push([first, last]);
    }
  }

  /** How many entries of a stretch show nothing. */
  emptyIn(first: number, last: number): number {
    return this.#emptyUpTo(last) - this.#emptyUpTo(first - 1);
  }

  /** How many entries their owners erased, and how many are withheld. */
  counts(): { erased: number; withheld: number } {
    const withheld = this.withheld().reduce((sum, [first, last]) => sum + last - first + 1, 0);
    return { erased: this.emptyIn(1, this.#lastIndex) - withheld, withheld };
  }

  /** The stretches that show nothing, though no `erase` entry names them. */
  withheld(): Stretch[] {
    const erased = this.#erased.toSorted((a, b) => a[0] - b[0]);
    const found: Stretch[] = [];
    let next = 0;
    let done = 0;
    for (const [first, last] of this.#empty) {
      let from = Math.max(first, done + 1);
      for (let stretch = erased[next]; stretch && stretch[0] <= last; stretch = erased[++next]) {
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

  /** By binary search for the last stretch that begins there or before. */
  #emptyUpTo(log_index: number): number {
    let low = 0;
    let high = this.#empty.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#empty[middle]?.[0] ?? 0) <= log_index) low = middle + 1;
      else high = middle;
    }
    const stretch = this.#empty[low - 1];
    if (!stretch) return 0;
    const [first, last, before] = stretch;
    return before + Math.min(last, log_index) - first + 1;
  }
}
