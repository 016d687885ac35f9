/** What an admin is told of a restored board: what was done again, what is lost, and what nothing tells of. */
import type { LaterFacts } from './later-facts.ts';
import { isRelated } from './replay.ts';
import type { Restored } from './restoring.ts';

/** Names that a sentence lists at most; the JSON lists all. */
const MAX_NAMES = 20;

/** How many entries the backup lacks; null if nothing tells. */
export function missingOf({ facts }: Restored): number | null {
  const counts = facts.flatMap(({ head, common }) =>
    head && common > 0 ? [head.log_index - common] : [],
  );
  return counts.length === 0 ? null : Math.max(...counts);
}

export function restoredSentences(restored: Restored): string[] {
  const { replaced, replayed, facts } = restored;
  const missing = missingOf(restored);
  const counted: [number, string][] = [
    [replayed.erased, 'Accounts that were deleted since, and are again'],
    [replayed.hidden, 'Accounts that show less since, and do again'],
    [replayed.revoked, 'Keys that were revoked since, and are again'],
    [replayed.decided, 'Submissions that do not count since, and do not again'],
  ];
  const told = [
    replaced === null ? '' : `The board that was there stays in ${replaced} for 30 days.`,
    ...facts.map((each) => parting(each, restored)),
    ...counted.map(([count, what]) => (count === 0 ? '' : `${what}: ${count}.`)),
    missing === null || missing === 0 ? '' : lost(missing),
    unconfirmed(replayed.unconfirmed ?? []),
    unknown(restored),
    'Everybody signs in again, and lets applications in again: what was open in the backup could have been ended since.',
  ];
  return told.filter((sentence) => sentence !== '');
}

/** Where the logs part, if not at the end of the backup. */
function parting({ common, isWhole }: LaterFacts, { head }: Restored): string {
  const length = head?.log_index ?? 0;
  if (!isWhole) return 'What was there is damaged: what can be read of it was taken over.';
  if (common === 0) return 'What was there is another board, of which nothing was taken over.';
  if (common === length) return '';
  return `Only the first ${common} entries of the log are the same there: since then, both went ways of their own.`;
}

function lost(missing: number): string {
  return `Entries of the log that were there, and that the backup lacks: ${missing}. Devices send their signed days again with their next "opbench submit", as far as their logs go back. Accounts, devices and keys that are newer than the backup, and what was sent by hand since, are not there: who has one of these begins again.`;
}

function unconfirmed(codenames: readonly string[]): string {
  if (codenames.length === 0) return '';
  const more = codenames.length > MAX_NAMES ? ', …' : '';
  const names = codenames.slice(0, MAX_NAMES).join(', ') + more;
  return `Accounts of which nothing tells whether they were deleted since: ${codenames.length} (${names}). Ask whose they are, or hide them: opbench-board hide CODENAME --reason TEXT.`;
}

/** What may be there again because nothing tells of it. */
function unknown({ facts, isReplacedRead }: Restored): string {
  const methods = 'sign-in methods that were unlinked';
  if (!facts.some(isRelated)) {
    const why =
      isReplacedRead === false
        ? 'The board that was there cannot be read'
        : 'There was nothing to compare the backup with';
    return `${why}: after the backup was made, accounts may have been deleted, submissions withdrawn, ${methods}, and keys of devices and API keys revoked. All these are there again, and valid. If you have a newer copy of the public log, restore again with --log.`;
  }
  if (facts.some(({ accounts, isWhole, common }) => accounts !== null && isWhole && common > 0)) {
    return `Of ${methods} after the backup was made nothing tells: they are linked again.`;
  }
  return `Nothing tells of all API keys that were revoked, ${methods}, and what those changed who are anonymous or private, after the backup was made: these are valid again. See opbench-board key list.`;
}
