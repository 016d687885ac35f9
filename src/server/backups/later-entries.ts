/** Entries of a log that a backup does not have, of which something is done again when it is restored. */
import type { EntryRange } from '#db/erasure.ts';
import { parseAs } from '#core/domain/faults.ts';
import { parseJson } from '#core/domain/json.ts';
import { DecisionPayload, ErasePayload, RevokePayload } from '#core/schema/log-payload.ts';
import { RevokedReason } from '#core/schema/operator.ts';

/** What was decided last about a submission, by its owner or the keeper. */
export interface LaterDecision {
  kind: 'hold' | 'reject' | 'release' | 'withdraw';
  /** The submission's place in the log. */
  log_index: number;
  /** What the keeper said; null if it was the owner. */
  reason: string | null;
}

export class LaterEntries {
  /** Entries that were erased. */
  readonly erased: EntryRange[] = [];
  /** Keys of devices that were revoked, and why. */
  readonly revoked = new Map<string, RevokedReason>();
  /** By the submissions' places in the log. */
  readonly decided = new Map<number, LaterDecision>();

  /**
   * Takes the next entry; one that is empty or withheld tells nothing.
   *
   * @throws {DomainError} `validation_failed` or `malformed_json` if it is not as a board writes it.
   */
  take(kind: string, payload: string | null): void {
    if (payload === null) return;
    if (kind === 'erase') this.#erase(payload);
    else if (kind === 'revoke') this.#revoke(payload);
    else if (isDecision(kind)) this.#decide(kind, payload);
  }

  #erase(payload: string): void {
    const { entries } = parseAs(ErasePayload, parseJson(payload), 'The erasure');
    this.erased.push(...entries);
  }

  #revoke(payload: string): void {
    const { keyid, reason } = parseAs(RevokePayload, parseJson(payload), 'The revocation');
    const known = RevokedReason.safeParse(reason);
    this.revoked.set(keyid, known.success ? known.data : 'revoked');
  }

  /** A check decides again by itself; and what its owner withdrew stays so. */
  #decide(kind: LaterDecision['kind'], payload: string): void {
    const { log_index, by, reason } = parseAs(DecisionPayload, parseJson(payload), 'The decision');
    const isOwners = kind === 'withdraw';
    if (!isOwners && (by !== 'keeper' || typeof reason !== 'string')) return;
    if (this.decided.get(log_index)?.kind === 'withdraw') return;
    this.decided.set(log_index, { kind, log_index, reason: isOwners ? null : String(reason) });
  }
}

function isDecision(kind: string): kind is LaterDecision['kind'] {
  return ['hold', 'reject', 'release', 'withdraw'].includes(kind);
}
