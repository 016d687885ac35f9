/**
 * Gives a restored log the entries that were published after the backup: submissions with their contents where these
 * were published too, everything else without. So the board goes on with the log that others know, and never publishes
 * a second history.
 */
import type { EntryRange } from '#db/engine/erasure.ts';
import type { LogLeaf } from '#db/log.ts';
import type { LogHead } from '#db/engine/inspection.ts';
import type { Store } from '#db/store.ts';
import { parseNote, signatureBy } from '#core/domain/tlog/note.ts';
import { parseVkey } from '#core/domain/tlog/note-key.ts';
import {
  beginNewLog,
  generationOf,
  isProvisional,
  logKeysIn,
  takeLogKeys,
} from '../identity/log-key.ts';
import { openBoardKey } from '../identity/board-key.ts';
import { BackupError } from '../process/backup-error.ts';
import { sha256, verifyEd25519 } from '../process/crypto.ts';
import { loggedRuleset } from '../process/rulesets.ts';
import type { SignedCheckpoint } from '../public-log/checkpoint-file.ts';
import { checkpointFault } from '../public-log/checkpoints.ts';
import { type RestoredBoard, enterPublished } from '../submission/enter-published.ts';
import type { PublishedPayloads } from './published-payloads.ts';

/** The board that the backup replaces. */
export interface ReplacedLog {
  /** Its entries after an index, up to the first one that cannot be read. */
  leavesAfter: (index: number) => Iterable<LogLeaf>;
  secret: (name: string) => Uint8Array | undefined;
}

/** A copy of the published log that the admin named. */
export interface GivenLog {
  place: string;
  leaves: readonly LogLeaf[];
  /** Of a copy with tiles; null for a file of the public log. */
  checkpoint: SignedCheckpoint | null;
  /** The last entry in a file of the public log. */
  head: LogHead | null;
  payloads: PublishedPayloads;
}

/** What is known about the log that the board published. */
export interface KnownLog {
  /** The number of the newest log with a checkpoint in the data folder; 0 if there is none. */
  generation: number;
  /** Its largest checkpoint. */
  largest: SignedCheckpoint | null;
  /** Null if there is no board to replace, if it cannot be read, or if it is another one. */
  replaced: ReplacedLog | null;
  given: GivenLog | null;
}

/** What the admin allows. */
export interface Permissions {
  /** To begin a new log if the old one cannot be continued. */
  newLog: boolean;
  /** To take a backup as complete although nothing shows that. */
  complete: boolean;
}

/** How the restored log goes on. */
export interface Continued {
  /** The first and the last of the entries without contents; null if there are none. */
  lost: readonly [first: number, last: number] | null;
  /** How many entries have no contents. */
  lostEntries: number;
  /** How many submissions were entered again from their published contents. */
  entered: number;
  /** The origin of the new log; null if the old one continues. */
  newLog: string | null;
}

/** The copy that the admin named is wrong. Nothing helps but another one. */
class WrongCopy extends Error {}

/** The published log cannot be continued with what was found. */
class Unreachable extends Error {}

/**
 * Adds the missing entries to a restored database that nobody uses yet. If this fails, discard the database.
 *
 * @throws {BackupError} `unsound` if entries are missing or wrong.
 */
export function continueLog(
  store: Store,
  known: KnownLog,
  { newLog, complete, now }: Permissions & { now: Date },
): Continued {
  // An earlier version may have made the backup.
  while (store.transaction(() => store.tiles.storeNext()));
  try {
    if (!complete) refuseUnknown(store, known);
    return { ...enterMissing(store, known, now), newLog: null };
  } catch (error) {
    if (error instanceof WrongCopy) {
      throw new BackupError('unsound', `${error.message}. Nothing was changed`);
    }
    if (!(error instanceof Unreachable)) throw error;
    if (!newLog) throw new BackupError('unsound', `${error.message}. ${waysOn(known)}`);
    return { ...NOTHING, newLog: beginAnew(store, known, now) };
  }
}

/** Tries with the replaced board first, because it has the newest entries. It may have a history of its own. */
function enterMissing(store: Store, known: KnownLog, now: Date): Entered {
  const attempt = (replaced: ReplacedLog | null) =>
    store.transaction(() => enterFrom(store, { ...known, replaced }, now));
  try {
    return attempt(known.replaced);
  } catch (error) {
    const isContradicted = error instanceof Unreachable || error instanceof WrongCopy;
    if (!isContradicted || !known.replaced) throw error;
    return attempt(null);
  }
}

type Entered = Omit<Continued, 'newLog'>;

const NOTHING: Entered = { lost: null, lostEntries: 0, entered: 0 };

function enterFrom(store: Store, known: KnownLog, now: Date): Entered {
  const before = headOf(store);
  if (known.replaced) enterReplaced(store, known.replaced, before);
  const submissions = known.given ? enterGiven(store, known.given, now) : [];
  const last = headOf(store);
  if (known.replaced) {
    takeLogKeys(store, known.replaced.secret, { boardKey: openBoardKey(store, now), now });
  }
  if (known.given) checkGiven(store, known.given);
  checkLargest(store, known);
  const entries = rangesBetween(before + 1, last, submissions);
  const [[first] = [], end] = [entries[0], entries.at(-1)?.[1]];
  const entered = submissions.length;
  if (first === undefined || end === undefined) return { ...NOTHING, entered };
  store.log.append({ kind: 'lost', operator_id: null, payload: { entries }, now });
  return { lost: [first, end], lostEntries: last - before - entered, entered };
}

/** The ranges of entries that remain without some of them, which are in order. */
function rangesBetween(first: number, last: number, without: readonly number[]): EntryRange[] {
  const ranges: EntryRange[] = [];
  let start = first;
  for (const index of [...without, last + 1]) {
    if (start < index) ranges.push([start, index - 1]);
    start = index + 1;
  }
  return ranges;
}

/** Stops where the replaced board went another way. */
function enterReplaced(store: Store, { leavesAfter }: ReplacedLog, last: number): void {
  for (const leaf of leavesAfter(last)) if (!store.log.appendLost(leaf)) return;
}

/**
 * Returns the indexes of the submissions that were entered with their contents.
 *
 * @throws {WrongCopy} if an entry does not continue the log.
 */
function enterGiven(store: Store, { leaves, place, payloads }: GivenLog, now: Date): number[] {
  const entered: number[] = [];
  const board = restoredBoard(store, now);
  for (const leaf of leaves) {
    const { index } = leaf;
    if (index <= headOf(store)) continue;
    const line = board && leaf.kind === 'snapshot' ? payloads.of(leaf) : null;
    if (board && line && enterPublished(board, leaf, line)) entered.push(index);
    else if (!store.log.appendLost(leaf)) {
      const message = `entry ${index} in ${place} does not continue entry ${index - 1}: it is from another log, or one of the two was changed`;
      throw new WrongCopy(message);
    }
  }
  return entered;
}

/** Null if the board never started, so that it has no key. */
function restoredBoard(store: Store, now: Date): RestoredBoard | null {
  if (store.boardKeys.all().length === 0) return null;
  const ruleset = loggedRuleset(store)?.id ?? null;
  return { store, now: () => now, boardKey: openBoardKey(store, now), ruleset };
}

function headOf({ log }: Store): number {
  return log.head()?.index ?? 0;
}

/** @throws {WrongCopy} if the copy is not one of the log as it is now. */
function checkGiven(store: Store, { place, checkpoint, head }: GivenLog): void {
  if (head && store.log.at(head.log_index)?.entry_hash !== head.entry_hash) {
    throw new WrongCopy(`The log in ${place} is not that of the backup`);
  }
  if (!checkpoint) return;
  if (!isSigned(store, checkpoint)) {
    throw new WrongCopy(`${place}/checkpoint is not signed by this board`);
  }
  if (checkpointFault(store.tiles, checkpoint)) {
    const message = `The entries do not have the root that ${place}/checkpoint states: they are from another log, or were changed`;
    throw new WrongCopy(message);
  }
}

/** @throws {Unreachable} if the log does not extend the largest checkpoint, or cannot be signed any more. */
function checkLargest(store: Store, { generation, largest }: KnownLog): void {
  if (!largest) return;
  const origin = logKeysIn(store.secrets.byName).at(-1)?.origin;
  // The backup is from a log that began later, and has no checkpoint yet.
  if (origin !== undefined && generationOf(origin) > generation) return;
  const isOwn = origin !== undefined && generationOf(origin) === generation;
  if (!isOwn || !isSigned(store, largest)) {
    throw new Unreachable(
      `The backup does not have the key of the log that was published up to entry ${largest.size}`,
    );
  }
  const fault = checkpointFault(store.tiles, largest);
  const last = headOf(store);
  if (fault === 'rewound') {
    throw new Unreachable(
      `The backup ends with entry ${last} of the log, but the board has published ${largest.size}. Missing: ${largest.size - last}`,
    );
  }
  if (!fault) return;
  throw new Unreachable(
    `The log of the backup, with ${last} entries, is another one than the log that the board published up to entry ${largest.size}`,
  );
}

function isSigned({ secrets }: Store, { note }: SignedCheckpoint): boolean {
  const parsed = parseNote(note);
  const text = new TextEncoder().encode(parsed.text);
  return logKeysIn(secrets.byName).some(({ vkey }) => {
    const key = parseVkey(vkey, sha256);
    const found = signatureBy(key, parsed);
    return found !== null && verifyEd25519(text, found.signature, key.publicKey);
  });
}

/** @throws {Unreachable} if the board may have published more, and nothing on this machine shows it. */
function refuseUnknown(store: Store, { largest, replaced, given }: KnownLog): void {
  const key = logKeysIn(store.secrets.byName).at(-1);
  if (largest || replaced || given || !key || isProvisional(key)) return;
  throw new Unreachable(
    `The backup ends with entry ${headOf(store)} of the log. Nothing on this machine shows whether the board has published more. If the backup was made after its server had stopped for good, add --complete`,
  );
}

function waysOn({ generation, given }: KnownLog): string {
  return [
    `If the board went on without them, its published log would have two histories, which devices and witnesses report. Nothing was changed. There are three ways on:`,
    `  --log ADDRESS   ${given ? 'another' : 'a'} copy of /log with more entries: a mirror, an object store or a folder`,
    `  --log FILE      a copy of the public log, /log.ndjson.gz, with more entries`,
    `  --new-log       if no copy exists: a new log, /log/${Math.max(1, generation) + 1}, which begins with the entries of the backup.`,
    `                  Whoever follows the old log sees it end, and has to trust the new one`,
  ].join('\n');
}

function beginAnew(store: Store, { generation, largest }: KnownLog, now: Date): string {
  return store.transaction(() => {
    const boardKey = openBoardKey(store, now);
    const own = logKeysIn(store.secrets.byName).at(-1)?.origin;
    const origin = own ?? largest?.origin ?? '';
    const next = Math.max(1, generation, generationOf(origin)) + 1;
    return beginNewLog(store, { origin, generation: next, boardKey, now }).origin;
  });
}
