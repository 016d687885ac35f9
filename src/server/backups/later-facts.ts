/** What happened on a board after a backup, according to the database that the backup replaces or to a public log. */
import { type Accounts, type SeenAccount, accountsIn } from '#db/accounts-in.ts';
import { type DatabaseInspection, type LogHead, inspectDatabase } from '#db/engine/inspection.ts';
import type { LogLeaf } from '#db/log.ts';
import { StoreError } from '#db/engine/store-error.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { withInspection } from './backup-file.ts';
import { BackupError } from '../process/backup-error.ts';
import { checkSavedLog } from '#server/verify/kept-copy.ts';
import { sha256 } from '../process/crypto.ts';
import { keyedHash } from '../process/secrets.ts';
import type { GivenLog, ReplacedLog } from './continue-log.ts';
import type { LogSource } from './log-source.ts';
import { readPublishedEntries } from './published-entries.ts';
import { type PublishedPayloads, bundleOf } from './published-payloads.ts';
import { withheldIn } from './withheld-accounts.ts';
import { storageFaultOf } from '../process/storage-fault.ts';
import type { EntryRange } from '#db/engine/erasure.ts';
import { entryHash } from '#core/domain/log/log-entry.ts';
import { parseAs } from '#core/domain/text/faults.ts';
import { parseJson } from '#core/domain/text/json.ts';
import {
  DecisionPayload,
  EnrollPayload,
  ErasePayload,
  RevokePayload,
  VisibilityPayload,
} from '#core/schema/log-payload.ts';
import type { LogKind } from '#core/schema/log.ts';
import { RevokedReason } from '#core/schema/operator.ts';

/** What another copy of the same board's log records. */
export interface LaterFacts {
  /** How many entries both logs have in common at their beginning. */
  common: number;
  /** The last entry that both have once the restored log is continued. */
  shared: number;
  /** The last entry of the other log; null if it cannot be read. */
  head: LogHead | null;
  later: LaterEntries;
  /** The accounts in the other copy; null if it does not contain them. */
  accounts: Accounts | null;
  isWhole: boolean;
}

/** The log of a board that a backup will replace. It is read when it is needed, up to the first damage. */
export function logOfReplaced(database: string): ReplacedLog {
  return {
    *leavesAfter(index) {
      const board = inspectDatabase(database);
      try {
        for (const { entry_hash, ...leaf } of board.leaves(index)) {
          if (entryHash(leaf, leaf.payload_digest, sha256) !== entry_hash) return;
          yield leaf;
        }
      } catch (error) {
        if (storageFaultOf(error) !== 'damaged') throw error;
      } finally {
        board.close();
      }
    },
    secret: (name) =>
      withInspection(database, (board) =>
        new DamagedReader().read(() => board.secret(name), undefined),
      ),
  };
}

/** Returns whether a deleted account had this codename. */
export function wasDeleted({ secret, reserved }: Accounts, codename: string): boolean {
  return secret !== null && reserved.has(keyedHash(secret, codename));
}

/**
 * Reads the facts from the database that a backup will replace. From a damaged one, reads whatever can be read.
 *
 * @returns Null if it is not a board's database, or nothing in it can be read.
 * @throws {BackupError} `disk` if it cannot be read now, but may be readable later.
 */
export function factsOfReplaced(database: string, backup: DatabaseInspection): LaterFacts | null {
  try {
    return withInspection(database, (replaced) => {
      const reader = new DamagedReader();
      const head = reader.read(() => replaced.head(), null);
      if (head === null && reader.isWhole) return null;
      const common = head ? commonEntries(backup, replaced, head.log_index, reader) : 0;
      const later = common > 0 ? laterIn(replaced, common, reader) : new LaterEntries();
      const accounts = accountsIn(database);
      const isWhole = reader.isWhole && accounts.isWhole;
      return { common, shared: common, head, later, accounts, isWhole };
    });
  } catch (error) {
    const cause = error instanceof StoreError ? error.cause : error;
    const fault = storageFaultOf(cause);
    if (fault !== null && fault !== 'damaged') throw unreachable(database, cause);
    if (error instanceof StoreError || fault === 'damaged') return null;
    throw error;
  }
}

function unreachable(database: string, cause: unknown): BackupError {
  const told = cause instanceof Error ? cause.message : String(cause);
  return new BackupError(
    'disk',
    `The current board cannot be read (${told}). Nothing was changed. Check its disk and file permissions, then restore again. If that fails, move ${database} to another folder first. The restore then cannot know what happened after the backup`,
  );
}

/** The most entries skipped in a damaged log to reach those after the damage, which may include an erasure. */
const MAX_SKIPPED = 1_000;

/** Continues after damaged entries, and remembers that there were some. */
class DamagedReader {
  isWhole = true;

  read<Result>(work: () => Result, otherwise: Result): Result {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof DomainError) && storageFaultOf(error) !== 'damaged') throw error;
      this.isWhole = false;
      return otherwise;
    }
  }
}

function laterIn(board: DatabaseInspection, common: number, reader: DamagedReader): LaterEntries {
  const later = new LaterEntries();
  let at = common;
  const readOn = () => {
    for (const { log_index, kind, payload } of board.entries(at)) {
      at = log_index;
      const text = payload === null ? null : new TextDecoder().decode(payload);
      reader.read(() => later.take(kind, text), undefined);
    }
    return true;
  };
  for (let skipped = 0; skipped < MAX_SKIPPED && !reader.read(readOn, false); skipped += 1) at += 1;
  return later;
}

/**
 * Returns the number of entries that two logs have in common at their beginning. Each hash covers all entries before
 * it, so a binary search finds it. Usually one log is a prefix of the other.
 */
function commonEntries(
  one: DatabaseInspection,
  other: DatabaseInspection,
  length: number,
  reader: DamagedReader,
) {
  const isSame = (index: number) => {
    return one.hashAt(index) === reader.read(() => other.hashAt(index), undefined);
  };
  let [low, high] = [0, Math.min(length, one.head()?.log_index ?? 0)];
  if (high > 0 && isSame(high)) return high;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isSame(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Reads the facts from a copy of the public log.
 *
 * @throws {BackupError} `unsound` if it is not a log as a board writes it.
 * @throws {StoreError} `missing` or `damaged` if it cannot be read.
 */
export async function factsOfPublicLog(
  path: string,
  backup: DatabaseInspection,
  payloads: PublishedPayloads,
): Promise<{ facts: LaterFacts; given: GivenLog }> {
  const later = new LaterEntries();
  const leaves: LogLeaf[] = [];
  let head: LogHead = { log_index: 0, entry_hash: '' };
  let common = 0;
  const last = backup.head()?.log_index ?? 0;
  const { isPublicLog, found } = await checkSavedLog(path, (entry) => {
    const { log_index, entry_hash, kind, payload, salt, receipt } = entry;
    head = { log_index, entry_hash };
    if (common === log_index - 1 && backup.hashAt(log_index) === entry_hash) common = log_index;
    else later.take(kind, payload);
    const { previous, received_at, payload_digest } = entry;
    const leaf = { index: log_index, kind: kind as LogKind, previous, received_at, payload_digest };
    if (log_index <= last) return;
    leaves.push(leaf);
    if (salt !== null && payload !== null) payloads.add({ log_index, salt, payload, receipt });
  });
  const [fault] = found.kept;
  if (fault !== undefined) {
    const told = isPublicLog ? `not as the board wrote it: ${fault.message}` : 'not a public log';
    throw new BackupError('unsound', `${path} is ${told}`);
  }
  payloads.drop(later.erased);
  const shared = common === last ? head.log_index : common;
  return {
    facts: { common, shared, head, later, accounts: null, isWhole: true },
    given: { place: path, leaves, checkpoint: null, head, payloads },
  };
}

/** What a copy of the log with tiles shows, if it has payloads. Its entries are not compared with the backup yet. */
export async function factsOfSource(
  source: LogSource,
  backup: DatabaseInspection,
  payloads: PublishedPayloads,
): Promise<{ facts: LaterFacts; given: GivenLog }> {
  const last = backup.head()?.log_index ?? 0;
  const published = await readPublishedEntries(source, last);
  const { leaves, checkpoint } = published;
  await payloads.bring(source, new Set(leaves.map(({ index }) => bundleOf(index))));
  const later = new LaterEntries();
  for (const leaf of leaves) {
    const line = leaf.kind === 'snapshot' ? null : payloads.of(leaf);
    if (line) later.take(leaf.kind, line.payload);
  }
  payloads.drop(later.erased);
  const withheld = await withheldIn(source, backup, { leaves, payloads });
  for (const account of withheld) later.seen.set(account.public_id, account);
  const end = leaves.at(-1);
  const entry_hash = end ? entryHash(end, end.payload_digest, sha256) : '';
  const head = end ? { log_index: end.index, entry_hash } : backup.head();
  return {
    facts: {
      ...{ common: Math.min(last, checkpoint.size), shared: checkpoint.size, head, later },
      ...{ accounts: null, isWhole: true },
    },
    given: { place: source.name, ...published, head: null, payloads },
  };
}

/** The admin's last decision about a submission. */
export interface LaterDecision {
  kind: 'hold' | 'reject' | 'release';
  log_index: number;
  reason: string;
}

class LaterEntries {
  readonly erased: EntryRange[] = [];
  readonly revoked = new Map<string, RevokedReason>();
  /** Devices marked as compromised, and the devices that they had replaced. */
  readonly compromised = new Set<string>();
  readonly #replaced = new Map<string, ReadonlySet<string>>();
  readonly decided = new Map<number, LaterDecision>();
  /** Log indexes of submissions that their owners withdrew and did not restore. */
  readonly withdrawn = new Set<number>();
  /** The visibility of accounts, as far as it is known. */
  readonly seen = new Map<string, SeenAccount>();

  /**
   * Reads the next entry. An empty or withheld entry has no effect.
   *
   * @throws {DomainError} `validation_failed` or `malformed_json` if it is not an entry as a board writes it.
   */
  take(kind: string, payload: string | null): void {
    if (payload === null) return;
    if (kind === 'erase') this.#erase(payload);
    else if (kind === 'enroll') this.#enroll(payload);
    else if (kind === 'revoke') this.#revoke(payload);
    else if (isDecision(kind)) this.#decide(kind, payload);
    else if (kind === 'withdraw' || kind === 'restore') this.#withdraw(kind, payload);
    else if (kind === 'visibility') this.#see(payload);
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

  /** The devices that a device has replaced, directly or indirectly. */
  #partsOf(device: string): Iterable<string> {
    return this.#replaced.get(device) ?? [];
  }

  /** Ignores decisions of automatic checks, which run again. */
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

  #see(payload: string): void {
    const seen = parseAs(VisibilityPayload, parseJson(payload), 'The visibility');
    const { operator: public_id, privacy_mode, data_opt_out } = seen;
    const account = { public_id, privacy_mode, data_opt_out: data_opt_out ? 1 : 0 } as const;
    this.seen.set(public_id, { ...account, hidden_at: null, hidden_reason: null });
  }
}

function isDecision(kind: string): kind is LaterDecision['kind'] {
  return ['hold', 'reject', 'release'].includes(kind);
}
