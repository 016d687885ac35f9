/** Checks the board's signatures under receipts, which the tree does not cover. */
import type { EntryLine } from '#core/schema/public-log.ts';
import { readPayload } from '#core/domain/log/log-payload.ts';
import { LogKeys } from '#core/domain/log/log-keys.ts';
import { parseJson } from '#core/domain/text/json.ts';
import { CHECK_TOOLS } from '../verify/log.ts';

/** The board's keys and the versions of its rules in the log, by position. Entries can come in any order and again. */
export class ReceiptKeys {
  readonly #boardKeys = new Map<number, EntryLine>();
  readonly #rulesets = new Map<number, string>();
  /** The keys up to an entry, by the number of board keys up to it. */
  #upTo = new Map<number, LogKeys>();

  /** Takes an entry with its payload. @throws {DomainError} if the payload cannot be read. */
  add(entry: EntryLine): void {
    const { kind, log_index, payload } = entry;
    if (payload === null) return;
    if (kind === 'ruleset') this.#rulesets.set(log_index, readPayload('ruleset', payload).id);
    if (kind !== 'board-key' || this.#boardKeys.has(log_index)) return;
    this.#boardKeys.set(log_index, entry);
    this.#upTo = new Map();
  }

  /** @throws {DomainError} if the board's key of that position did not sign the receipt for this entry. */
  check(entry: EntryLine): void {
    if (entry.receipt === null && entry.kind !== 'snapshot') return;
    const rulesets = [...this.#rulesets].filter(([index]) => index < entry.log_index);
    const [, ruleset = null] = rulesets.toSorted(([a], [b]) => a - b).at(-1) ?? [];
    this.#keysUpTo(entry.log_index).checkReceipt(entry, ruleset);
  }

  #keysUpTo(log_index: number): LogKeys {
    const entries = [...this.#boardKeys.values()].filter((entry) => entry.log_index < log_index);
    const known = this.#upTo.get(entries.length);
    if (known) return known;
    const keys = new LogKeys(CHECK_TOOLS);
    for (const entry of entries.toSorted((a, b) => a.log_index - b.log_index)) {
      keys.enterBoardKey(entry, parseJson(entry.payload ?? ''));
    }
    this.#upTo.set(entries.length, keys);
    return keys;
  }
}
