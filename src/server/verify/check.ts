/** Proves that a whole board belongs together: its file, its log, and all that is computed from the log. */
import { type DatabaseInspection, type LogHead, inspectDatabase } from '#db/engine/inspection.ts';
import type { CheckedBoard } from '#core/domain/log/board-check.ts';
import type { EntriesCheck } from '#core/domain/log/log-entries-check.ts';
import { Findings } from '#core/domain/log/log-finding.ts';
import { type ComparedCopy, checkCopy, checkHead } from './kept-copy.ts';
import { checkAccounts, checkBoardKeys } from './accounts.ts';
import { checkBoards } from './boards.ts';
import { type WholeFinding, type WholeFindings, checkEntries } from './log.ts';

interface WholeCheckOptions {
  baseUrl: string;
  migrations: string;
  past: LogHead | null;
  /** A saved copy of the public log, of which the log must hold every entry. */
  copy: string | null;
  /** Whether the boards of all days that are kept are recomputed, and not of the newest only. */
  everyDay: boolean;
}

export interface WholeCheck {
  head: LogHead | null;
  /** Null, as all that is counted, if the file itself is damaged. */
  operators: number | null;
  submissions: { signed: number; self_reported: number } | null;
  erased: number | null;
  boards: readonly CheckedBoard[];
  copy: ComparedCopy | null;
  /** What was not or cannot be checked, in sentences. */
  unchecked: string[];
  /** What is remarkable and no fault, in sentences. */
  notes: string[];
  findings: readonly WholeFinding[];
  /** How many there are, of which `findings` holds the first. */
  found: number;
}

/**
 * Reads a board's database or a backup, which is not changed, as it is at one moment.
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
  checkBoardKeys(board.boardKeys(), check.keys.board, findings);
  checkAccounts(board, check.keys.devices, findings);
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
    unchecked: [...unchecked, NOT_IN_LOG],
    notes: notesOf(check),
    findings: findings.kept,
    found: findings.total,
  };
}

const NOT_IN_LOG =
  'The log does not tell of sign-ins, API keys, applications, profiles, secrets, names kept back, records, challenges, messages and checks: whether these are as they were is not known';

function checkFile(board: DatabaseInspection, migrations: string, findings: WholeFindings): void {
  for (const text of board.schema(migrations) ?? []) {
    findings.add({ code: 'database', message: text });
  }
  for (const text of board.dangling()) {
    findings.add({ code: 'reference', message: `a row of ${text}` });
  }
}

/** What is damaged cannot be read any further: SQLite would refuse in the middle of it. */
function damagedCheck({ kept, total }: WholeFindings): WholeCheck {
  return {
    head: null,
    operators: null,
    submissions: null,
    erased: null,
    boards: [],
    copy: null,
    unchecked: ['The file itself is damaged: nothing else in it was checked'],
    notes: [],
    findings: kept,
    found: total,
  };
}

/** The boards that were recomputed, and why others were not. */
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
    unchecked.push('There is no publication that shows everybody as they are seen now');
  }
  if (left > 0) {
    unchecked.push(
      `The boards of ${left} earlier days that are kept were not recomputed; --every-day recomputes all`,
    );
  }
  return { boards, unchecked };
}

/** Boards are stored in a form that each version may change. */
function whyNoBoards(board: DatabaseInspection, migrations: string): string[] {
  const { lacking, unknown } = board.difference(migrations);
  if (lacking.length + unknown.length === 0) return [];
  const isNewer = unknown.length > 0;
  const what = isNewer
    ? 'its boards were not recomputed, nor its tables compared'
    : 'its boards were not recomputed';
  return [`${isNewer ? 'A newer' : 'An earlier'} version wrote it: ${what}`];
}

function notesOf({ audiences }: EntriesCheck): string[] {
  return [...audiences].map(
    ([audience, count]) => `${count} submissions were signed for another address: ${audience}`,
  );
}
