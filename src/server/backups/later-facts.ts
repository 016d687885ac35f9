/** What happened on a board after a backup of it was made, as the database that it replaces or a public log tells. */
import { type Accounts, accountsIn } from '#db/accounts-in.ts';
import type { Inspection, LogHead } from '#db/engine/inspection.ts';
import type { PublicLogEntry } from '#db/public-log.ts';
import { StoreError } from '#db/engine/store-error.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { LogCheck } from '#core/domain/log/log-check.ts';
import { Findings } from '#core/domain/log/log-finding.ts';
import type { EntryLine } from '#core/schema/public-log.ts';
import { withInspection } from './backup-file.ts';
import { BackupError } from '../process/backup-error.ts';
import { CHECK_TOOLS } from '../verify/check-tools.ts';
import { linesIn } from '../verify/file-lines.ts';
import { keyedHash } from '../identity/secrets.ts';
import { LaterEntries } from './later-entries.ts';
import { storageFaultOf } from '../process/storage-fault.ts';

/** What another copy of the same board's log tells. */
export interface LaterFacts {
  /** How many entries both logs begin with. */
  common: number;
  /** The last entry of the other log; null if that cannot be read. */
  head: LogHead | null;
  /** What the other log's later entries tell. */
  later: LaterEntries;
  /** The accounts there; null where they are not told. */
  accounts: Accounts | null;
  /** Whether all that it tells could be read. */
  isWhole: boolean;
}

/** Whether a deleted account was called so. */
export function wasDeleted({ secret, reserved }: Accounts, codename: string): boolean {
  return secret !== null && reserved.has(keyedHash(secret, codename));
}

/** Places of a damaged log that are skipped to read on behind them. */
const MAX_SKIPPED = 1_000;

/**
 * What the database tells that a backup will replace. Of a damaged one it tells all that can be read.
 *
 * @returns Null if it is no board's, or nothing of it can be read.
 * @throws {BackupError} `disk` if it cannot be read now, but may be later.
 */
export function factsOfReplaced(database: string, backup: Inspection): LaterFacts | null {
  try {
    return withInspection(database, (replaced) => {
      const reader = new DamagedReader();
      const head = reader.read(() => replaced.head(), null);
      if (head === null && reader.isWhole) return null;
      const common = head ? commonEntries(backup, replaced, head.log_index, reader) : 0;
      const later = common > 0 ? laterIn(replaced, common, reader) : new LaterEntries();
      const accounts = accountsIn(database);
      return { common, head, later, accounts, isWhole: reader.isWhole && accounts.isWhole };
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
    `The board that is there cannot be read now (${told}), and nothing was changed. Look at its disk, and at who may read it, then restore again. If it stays so, move ${database} to another folder first: then nothing tells what happened since the backup`,
  );
}

/** Reads on behind what is damaged, and remembers that something was. */
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

function laterIn(board: Inspection, common: number, reader: DamagedReader): LaterEntries {
  const later = new LaterEntries();
  let at = common;
  const take = ({ log_index, kind, payload }: PublicLogEntry) => {
    at = log_index;
    const text = payload === null ? null : new TextDecoder().decode(payload);
    reader.read(() => later.take(kind, text), undefined);
  };
  const readOn = () => {
    for (const entry of board.entries(at)) take(entry);
    return true;
  };
  for (let skipped = 0; skipped < MAX_SKIPPED; skipped += 1) {
    if (reader.read(readOn, false)) break;
    at += 1;
  }
  return later;
}

/**
 * How many entries two logs begin with: each hash covers all before it, so that halves are enough to look at.
 * Mostly one log is the beginning of the other.
 */
function commonEntries(
  one: Inspection,
  other: Inspection,
  length: number,
  reader: DamagedReader,
): number {
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
 * What a copy of the public log tells.
 *
 * @throws {BackupError} `unsound` if it is not as a board wrote it.
 * @throws {StoreError} `missing` or `damaged` if it cannot be read.
 */
export async function factsOfPublicLog(path: string, backup: Inspection): Promise<LaterFacts> {
  const findings = new Findings();
  const check = new LogCheck(CHECK_TOOLS, findings);
  const later = new LaterEntries();
  let head: LogHead = { log_index: 0, entry_hash: '' };
  let common = 0;
  const take = (line: EntryLine) => {
    const { log_index, entry_hash, kind, payload } = line;
    head = { log_index, entry_hash };
    if (common === log_index - 1 && backup.hashAt(log_index) === entry_hash) common = log_index;
    else later.take(kind, payload);
  };
  for await (const text of linesIn(path)) {
    const line = check.add(text);
    if (line?.line === 'entry') take(line);
  }
  check.finish();
  const [fault] = findings.kept;
  if (fault !== undefined) {
    const told = check.isPublicLog
      ? `not as its board wrote it: ${fault.message}`
      : 'no public log';
    throw new BackupError('unsound', `${path} is ${told}`);
  }
  return { common, head, later, accounts: null, isWhole: true };
}
