/** Proves that a whole board belongs together: its file, its log, and all that is computed from the log. */
import { type Inspection, type LogHead, inspectDatabase } from '#db/inspection.ts';
import { readdirSync } from 'node:fs';
import type { CheckedBoard } from '#core/domain/board-check.ts';
import type { EntriesCheck } from '#core/domain/log-entries-check.ts';
import { type ComparedCopy, checkCopy, checkHead } from './kept-copy.ts';
import { checkAccounts } from './whole-accounts.ts';
import { checkBoards } from './whole-boards.ts';
import { checkEntries } from './whole-entries.ts';
import { type WholeFinding, WholeFindings } from './whole-findings.ts';

export interface WholeCheckOptions {
  /** The board's address now. */
  baseUrl: string;
  /** The folder of the program's migrations. */
  migrations: string;
  /** An entry that the log must hold. */
  past: LogHead | null;
  /** A saved copy of the public log, of which the log must hold every entry. */
  copy: string | null;
}

export interface WholeCheck {
  head: LogHead | null;
  operators: number;
  submissions: { signed: number; self_reported: number };
  /** Entries whose owners erased them. */
  erased: number;
  boards: readonly CheckedBoard[];
  copy: ComparedCopy | null;
  /** What could not be checked, in sentences. */
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
  board: Inspection,
  { baseUrl, migrations, past, copy }: WholeCheckOptions,
): Promise<WholeCheck> {
  const findings = new WholeFindings();
  checkFile(board, findings);
  const check = checkEntries(board.entries(), baseUrl, findings);
  checkAccounts(board, findings);
  const unchecked = whyNoBoards(board, migrations);
  const boards = unchecked.length === 0 ? checkBoards(board, check, findings) : [];
  const hasCurrent = boards.some(({ kept }) => kept === 'current');
  if (unchecked.length === 0 && !hasCurrent && check.signed + check.selfReported > 0) {
    unchecked.push('There is no publication that shows everybody as they are seen now');
  }
  if (past) checkHead(board, past, findings);
  const compared = copy === null ? null : await checkCopy(board, copy, findings);
  return {
    head: board.head(),
    operators: board.operators().length,
    submissions: { signed: check.signed, self_reported: check.selfReported },
    erased: check.chain.counts().erased,
    boards,
    copy: compared,
    unchecked,
    notes: notesOf(check),
    findings: findings.kept,
    found: findings.total,
  };
}

function checkFile(board: Inspection, findings: WholeFindings): void {
  for (const text of board.integrity()) findings.add({ code: 'database', message: text });
  for (const text of board.dangling()) {
    findings.add({ code: 'reference', message: `a row of ${text}` });
  }
}

/** Boards are stored in a form that each version may change. */
function whyNoBoards(board: Inspection, migrations: string): string[] {
  const known = readdirSync(migrations).filter((name) => name.endsWith('.sql'));
  const applied = board.migrations();
  if (applied.join() === known.sort().join()) return [];
  const isNewer = applied.some((name) => !known.includes(name));
  return [`${isNewer ? 'A newer' : 'An earlier'} version wrote it: its boards were not recomputed`];
}

function notesOf({ audiences }: EntriesCheck): string[] {
  return [...audiences].map(
    ([audience, count]) => `${count} submissions were signed for another address: ${audience}`,
  );
}
