/** Entries of a log that a backup does not have, of which something is done again when it is restored. */
import type { EntryRange } from '#db/engine/erasure.ts';
import { parseAs } from '#core/domain/text/faults.ts';
import { parseJson } from '#core/domain/text/json.ts';
import {
  DecisionPayload,
  EnrollPayload,
  ErasePayload,
  RevokePayload,
} from '#core/schema/log-payload.ts';
import { RevokedReason } from '#core/schema/operator.ts';

/** What the keeper decided last about a submission. */
export interface LaterDecision {
  kind: 'hold' | 'reject' | 'release';
  /** The submission's place in the log. */
  log_index: number;
  /** What the keeper said. */
  reason: string;
}

export class LaterEntries {
  /** Entries that were erased. */
  readonly erased: EntryRange[] = [];
  /** Keys of devices that were revoked, and why. */
  readonly revoked = new Map<string, RevokedReason>();
  /** Devices that were called compromised, and those that they had replaced since. */
  readonly compromised = new Set<string>();
  readonly #replaced = new Map<string, ReadonlySet<string>>();
  /** By the submissions' places in the log. */
  readonly decided = new Map<number, LaterDecision>();
  /** The places of submissions that their owners withdrew and did not restore. */
  readonly withdrawn = new Set<number>();

  /**
   * Takes the next entry; one that is empty or withheld tells nothing.
   *
   * @throws {DomainError} `validation_failed` or `malformed_json` if it is not as a board writes it.
   */
  take(kind: string, payload: string | null): void {
    if (payload === null) return;
    if (kind === 'erase') this.#erase(payload);
    else if (kind === 'enroll') this.#enroll(payload);
    else if (kind === 'revoke') this.#revoke(payload);
    else if (isDecision(kind)) this.#decide(kind, payload);
    else if (kind === 'withdraw' || kind === 'restore') this.#withdraw(kind, payload);
  }

  #erase(payload: string): void {
    const { entries } = parseAs(ErasePayload, parseJson(payload), 'The erasure');
    this.erased.push(...entries);
  }

  #enroll(payload: string): void {
    const { device, replaces } = parseAs(EnrollPayload, parseJson(payload), 'The enrollment');
    if (replaces === undefined) return;
    const parts = [...this.#partsOf(device), replaces, ...this.#partsOf(replaces)];
    this.#replaced.set(device, new Set(parts));
  }

  #revoke(payload: string): void {
    const { keyid, device, reason } = parseAs(RevokePayload, parseJson(payload), 'The revocation');
    const known = RevokedReason.safeParse(reason);
    this.revoked.set(keyid, known.success ? known.data : 'revoked');
    if (reason !== 'compromised') return;
    for (const part of [device, ...this.#partsOf(device)]) this.compromised.add(part);
  }

  /** The devices that one has replaced, and those that they had replaced before. */
  #partsOf(device: string): Iterable<string> {
    return this.#replaced.get(device) ?? [];
  }

  /** A check decides again by itself. */
  #decide(kind: LaterDecision['kind'], payload: string): void {
    const { log_index, by, reason } = parseAs(DecisionPayload, parseJson(payload), 'The decision');
    if (by !== 'keeper' || typeof reason !== 'string') return;
    this.decided.set(log_index, { kind, log_index, reason });
  }

  #withdraw(kind: 'restore' | 'withdraw', payload: string): void {
    const { log_index } = parseAs(DecisionPayload, parseJson(payload), 'The entry');
    if (kind === 'withdraw') this.withdrawn.add(log_index);
    else this.withdrawn.delete(log_index);
  }
}

function isDecision(kind: string): kind is LaterDecision['kind'] {
  return ['hold', 'reject', 'release'].includes(kind);
}
