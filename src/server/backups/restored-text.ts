/** The report on a restored board: what was reapplied, what is lost, and what is unknown. */
import type { LaterFacts } from './later-facts.ts';
import { isRelated } from './replay.ts';
import type { Restored } from './restoring.ts';

/** The most names that a sentence lists. The JSON output lists all. */
const MAX_NAMES = 20;

/** How many log entries the backup lacks; null if unknown. */
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
    [replayed.erased, 'Accounts deleted after the backup, now deleted again'],
    [replayed.hidden, 'Accounts made less visible after the backup, now less visible again'],
    [replayed.revoked, 'Keys revoked after the backup, now revoked again'],
    [
      replayed.decided,
      'Submissions withdrawn, put on hold or rejected after the backup, now excluded again',
    ],
  ];
  const told = [
    replaced === null ? '' : `The previous board is kept in ${replaced} for 30 days.`,
    ...facts.map((each) => parting(each, restored)),
    ...counted.map(([count, what]) => (count === 0 ? '' : `${what}: ${count}.`)),
    ...continuedSentences(restored),
    missing === null || missing === 0 ? '' : lost(missing),
    unconfirmed(replayed.unconfirmed ?? []),
    unknown(restored),
    'All sessions and connected apps were signed out, because some may have been revoked after the backup. Operators must sign in and connect their apps again.',
  ];
  return told.filter((sentence) => sentence !== '');
}

/** Says where the logs diverge, if not at the end of the backup. */
function parting({ common, isWhole }: LaterFacts, { head }: Restored): string {
  const length = head?.log_index ?? 0;
  if (!isWhole)
    return 'The previous board is damaged. Everything that could be read from it was applied.';
  if (common === 0)
    return 'The previous database belongs to another board. Nothing was applied from it.';
  if (common === length) return '';
  return `The logs share only their first ${common} entries. After that, they differ.`;
}

function lost(missing: number): string {
  return `Log entries missing from the backup: ${missing}. Devices upload their signed days again at the next "opbench submit", as far back as their logs go. Accounts, devices, keys and self-reports added after the backup are lost. Operators must create them again.`;
}

function continuedSentences({ continued }: Restored): string[] {
  const { lost: range, entered, newLog } = continued;
  const whole = `Submissions entered again with their contents, from the copy of the log: ${entered}.`;
  const kept = `Entries ${range?.join('–')} are in the log again${entered > 0 ? '. The others are' : ','} without their contents. The log stays one history.`;
  const begun = `A new log began: ${newLog}. Tell everyone who follows the old one, such as witnesses and mirrors. Its proofs stay valid.`;
  return [entered === 0 ? '' : whole, range === null ? '' : kept, newLog === null ? '' : begun];
}

function unconfirmed(codenames: readonly string[]): string {
  if (codenames.length === 0) return '';
  const more = codenames.length > MAX_NAMES ? ', …' : '';
  const names = codenames.slice(0, MAX_NAMES).join(', ') + more;
  return `Accounts that may have been deleted after the backup: ${codenames.length} (${names}). Ask their owners, or hide them: opbench-board hide CODENAME --reason TEXT.`;
}

/** Says what may have come back because nothing records that it ended. */
function unknown({ facts, isReplacedRead }: Restored): string {
  if (!facts.some(isRelated)) {
    const why =
      isReplacedRead === false
        ? 'The previous board cannot be read'
        : 'There was no other data to compare the backup with';
    return `${why}. Anything deleted, withdrawn, unlinked or revoked after the backup is back and valid again: accounts, submissions, sign-in methods, device keys and API keys. If you have a newer copy of the public log, restore again with --log.`;
  }
  if (facts.some(({ accounts, isWhole, common }) => accounts !== null && isWhole && common > 0)) {
    return 'Sign-in methods unlinked after the backup are linked again, because no record of that exists.';
  }
  return 'Not everything that happened after the backup is known. API keys revoked and sign-in methods unlinked since then may be valid again, and changes by anonymous and private operators may be undone. Check the keys: opbench-board key list.';
}
