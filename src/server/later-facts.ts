/** What happened on a board after a backup of it was made, as the database that it replaces or a public log tells. */
import { createHash } from 'node:crypto';
import { type Accounts, accountsIn } from '#db/accounts-in.ts';
import type { EntryRange } from '#db/erasure.ts';
import type { Inspection, LogHead } from '#db/inspection.ts';
import { StoreError } from '#db/store-error.ts';
import { isSoundPublicKey } from '#core/domain/ed25519.ts';
import { parseAs } from '#core/domain/faults.ts';
import { parseJson } from '#core/domain/json.ts';
import { LogCheck } from '#core/domain/log-check.ts';
import { Findings } from '#core/domain/log-finding.ts';
import { ErasePayload } from '#core/schema/log-payload.ts';
import type { EntryLine } from '#core/schema/public-log.ts';
import { BackupError, withInspection } from './backup-file.ts';
import { linesIn } from './file-lines.ts';
import { sha256, verifyEd25519 } from './identity/crypto.ts';
import { keyedHash } from './identity/secrets.ts';
import { storageFaultOf } from './storage-fault.ts';

/** What another copy of the same board's log tells. */
export interface LaterFacts {
  /** How many entries both logs begin with. */
  common: number;
  /** The last entry of the other log. */
  head: LogHead;
  /** Entries that were erased since, of those that both have. */
  erased: EntryRange[];
  /** How accounts are seen there, by their public ids; null where that is not told. */
  seen: Accounts['seen'] | null;
  /** Whether a deleted account was called so. */
  wasDeleted(codename: string): boolean;
}

const TOOLS = {
  sha256,
  verify: verifyEd25519,
  isSoundPublicKey,
  createHash: () => createHash('sha256'),
};

/**
 * What the database tells that a backup will replace.
 *
 * @returns Null if it cannot be read, or is no board's.
 */
export function factsOfReplaced(database: string, backup: Inspection): LaterFacts | null {
  try {
    return withInspection(database, (replaced) => {
      const head = replaced.head();
      if (!head) return null;
      const common = commonEntries(backup, replaced, head.log_index);
      const later = [...erasures(replaced, common)];
      const { seen, reserved, secret } = accountsIn(database);
      const wasDeleted = (name: string) => secret !== null && reserved.has(keyedHash(secret, name));
      return { common, head, erased: amongFirst(common, later), seen, wasDeleted };
    });
  } catch (error) {
    if (error instanceof StoreError || storageFaultOf(error) === 'damaged') return null;
    throw error;
  }
}

function* erasures(board: Inspection, after: number): Generator<EntryRange> {
  for (const { kind, payload } of board.entries(after)) {
    if (kind === 'erase' && payload !== null) yield* rangesIn(new TextDecoder().decode(payload));
  }
}

/** How many entries two logs begin with: each hash covers all before it, so halves are enough to look at. */
function commonEntries(one: Inspection, other: Inspection, length: number): number {
  let [low, high] = [0, Math.min(length, one.head()?.log_index ?? 0)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (one.hashAt(middle) === other.hashAt(middle)) low = middle;
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
  const check = new LogCheck(TOOLS, findings);
  const later: EntryRange[] = [];
  let head: LogHead = { log_index: 0, entry_hash: '' };
  let common = 0;
  const take = (line: EntryLine) => {
    const { log_index, entry_hash, kind, payload } = line;
    head = { log_index, entry_hash };
    if (common === log_index - 1 && backup.hashAt(log_index) === entry_hash) common = log_index;
    else if (kind === 'erase' && payload !== null) later.push(...rangesIn(payload));
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
  return { common, head, erased: amongFirst(common, later), seen: null, wasDeleted: () => false };
}

function rangesIn(payload: string): EntryRange[] {
  return parseAs(ErasePayload, parseJson(payload), 'The erasure').entries;
}

function amongFirst(common: number, ranges: readonly EntryRange[]): EntryRange[] {
  return ranges.filter(([first]) => first <= common);
}
