/** Checks that a whole board is consistent: its file, its log, and everything computed from the log. */
import { type DatabaseInspection, type LogHead, inspectDatabase } from '#db/engine/inspection.ts';
import type { CheckedBoard } from '#core/domain/log/board-check.ts';
import type { EntriesCheck } from '#core/domain/log/log-entries-check.ts';
import { Findings } from '#core/domain/log/log-finding.ts';
import { type ComparedCopy, checkCopy, checkHead } from './kept-copy.ts';
import { checkAccounts, checkBoardKeys } from './accounts.ts';
import { checkBoards } from './boards.ts';
import { type WholeFinding, type WholeFindings, checkEntries } from './log.ts';
import { checkTiles } from './tiles.ts';

interface WholeCheckOptions {
  baseUrl: string;
  migrations: string;
  past: LogHead | null;
  /** A saved copy of the public log. The log must contain all of its entries. */
  copy: string | null;
  /** Whether to recompute the boards of all stored days, or only the newest. */
  everyDay: boolean;
}

export interface WholeCheck {
  head: LogHead | null;
  /** Null, like all other counts, if the file itself is damaged. */
  operators: number | null;
  submissions: { signed: number; self_reported: number } | null;
  erased: number | null;
  boards: readonly CheckedBoard[];
  copy: ComparedCopy | null;
  /** What was not or cannot be checked, as sentences. */
  unchecked: string[];
  /** Unusual facts that are not faults, as sentences. */
  notes: string[];
  findings: readonly WholeFinding[];
  /** The total number of findings. `findings` contains the first ones. */
  found: number;
}

/**
 * Reads a board's database or a backup at one moment, without changing it.
 *
 * @throws {StoreError} if it cannot be read as a board's database.
 */
export async function checkWholeBoard(
  path: string,
  options: WholeCheckOptions,
): Promise<WholeCheck> {
  const board = inspectDatabase(path);
  try {
    return await checkInspected(board, options);
  } finally {
    board.close();
  }
}

async function checkInspected(
  board: DatabaseInspection,
  { baseUrl, migrations, past, copy, everyDay }: WholeCheckOptions,
): Promise<WholeCheck> {
  const findings: WholeFindings = new Findings();
  for (const text of board.integrity()) findings.add({ code: 'database', message: text });
  if (findings.total > 0) return damagedCheck(findings);
  checkFile(board, migrations, findings);
  const check = checkEntries(board.entries(), baseUrl, findings);
  const withoutTiles = checkTiles(board, findings);
  checkBoardKeys(board.boardKeys(), check.keys.board, findings);
  checkAccounts(board, check, findings);
  const { boards, unchecked } = checkStoredBoards(board, { check, findings, migrations, everyDay });
  if (past) checkHead(board, past, findings);
  const compared = copy === null ? null : await checkCopy(board, copy, findings);
  return {
    head: board.head(),
    operators: board.operatorCount(),
    submissions: { signed: check.signed, self_reported: check.selfReported },
    erased: check.chain.counts().erased,
    boards,
    copy: compared,
    unchecked: [...withoutTiles, ...unchecked, NOT_IN_LOG],
    notes: notesOf(check),
    findings: findings.kept,
    found: findings.total,
  };
}

const NOT_IN_LOG =
  'The log does not record sign-ins, API keys, connected apps, profiles, secrets, reserved names, records, challenges, messages and checks, so they cannot be checked';

function checkFile(board: DatabaseInspection, migrations: string, findings: WholeFindings): void {
  for (const text of board.schema(migrations) ?? []) {
    findings.add({ code: 'database', message: text });
  }
  for (const text of board.dangling()) {
    findings.add({ code: 'reference', message: text });
  }
}

/** Ends the check, because SQLite fails in the middle of reading a damaged file. */
function damagedCheck({ kept, total }: WholeFindings): WholeCheck {
  return {
    head: null,
    operators: null,
    submissions: null,
    erased: null,
    boards: [],
    copy: null,
    unchecked: ['The file itself is damaged, so nothing else in it was checked'],
    notes: [],
    findings: kept,
    found: total,
  };
}

/** Returns the boards that were recomputed, and why others were not. */
function checkStoredBoards(
  board: DatabaseInspection,
  {
    check,
    findings,
    migrations,
    everyDay,
  }: Pick<WholeCheckOptions, 'everyDay' | 'migrations'> & {
    check: EntriesCheck;
    findings: WholeFindings;
  },
): Pick<WholeCheck, 'boards' | 'unchecked'> {
  const unchecked = whyNoBoards(board, migrations);
  if (unchecked.length > 0) return { boards: [], unchecked };
  const { boards, left } = checkBoards(board, check, { findings, everyDay });
  const hasCurrent = boards.some(({ kept }) => kept === 'current');
  if (!hasCurrent && check.signed + check.selfReported > 0) {
    unchecked.push(
      'The current boards were not checked, because no stored update matches the current visibility of all operators',
    );
  }
  if (left > 0) {
    unchecked.push(
      `The stored boards of ${left} earlier days were not recomputed. Add --every-day to recompute all`,
    );
  }
  return { boards, unchecked };
}

/** Each version may change the form in which boards are stored. */
function whyNoBoards(board: DatabaseInspection, migrations: string): string[] {
  const { lacking, unknown } = board.difference(migrations);
  if (lacking.length + unknown.length === 0) return [];
  const isNewer = unknown.length > 0;
  const what = isNewer
    ? 'its boards were not recomputed, and its tables were not compared'
    : 'its boards were not recomputed';
  return [`The database was written by ${isNewer ? 'a newer' : 'an earlier'} version, so ${what}`];
}

function notesOf({ audiences, chain }: EntriesCheck): string[] {
  const { lost } = chain.counts();
  const foreign = [...audiences].map(
    ([audience, count]) => `Submissions signed for another address, ${audience}: ${count}`,
  );
  return lost === 0 ? foreign : [...foreign, `Entries whose contents a restore lost: ${lost}`];
}
