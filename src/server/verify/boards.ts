/**
 * Recomputes the stored boards from the log, including entries that the public log withholds. Values are recomputed
 * for a group of operators at a time, so that memory does not grow with the board. Ranks are then compared across all
 * rows.
 */
import type { DatabaseInspection } from '#db/engine/inspection.ts';
import type { LoggedOperator } from '#db/public-log.ts';
import type { CheckedBoard } from '#core/domain/log/board-check.ts';
import type { EntriesCheck } from '#core/domain/log/log-entries-check.ts';
import { Findings } from '#core/domain/log/log-finding.ts';
import { LogReplay } from '#core/domain/log/log-replay.ts';
import {
  type LoggedBoard,
  type StoredBoards,
  boardsInLogOrder,
  currentBoard,
  linesOfBoard,
} from '../public-log/boards.ts';
import { type WholeFindings, shownEntry } from './log.ts';

/** The most daily counts in memory at once, with everything derived from them. */
const BUCKETS_AT_ONCE = 50_000;

type Known = ConstructorParameters<typeof LogReplay>[0];

/** Stored days that are recomputed by default. Each takes as long as the newest board. */
const NEWEST_DAYS = 7;

/**
 * Recomputes the newest publication and stored days, each from the log entries that it is based on.
 *
 * @param check The result of the first pass over the same entries.
 * @param everyDay Whether to recompute all days, or only the newest.
 * @returns The boards, and how many days were skipped.
 */
export function checkBoards(
  { boards, operators, replayed }: Pick<DatabaseInspection, 'boards' | 'operators' | 'replayed'>,
  check: EntriesCheck,
  { findings, everyDay }: { findings: WholeFindings; everyDay: boolean },
): { boards: CheckedBoard[]; left: number } {
  // Uses the names in the log. Another check compares them with the tables.
  const everybody = operators().map((operator) => {
    const public_name = check.codenames.get(operator.public_id) ?? operator.public_name;
    return { ...operator, public_name };
  });
  const store = boards();
  const kept = store.publicLog.days(check.chain.last.log_index);
  const newest = new Set(kept.toSorted().slice(-NEWEST_DAYS));
  const days = everyDay ? kept : kept.filter((day) => newest.has(day));
  const pass = new BoardPass({ store, days, replayed }, check, findings);
  const parts = partsOf(everybody, replayed).map((part) => pass.values(part));
  const ranked = pass.ranks(everybody);
  const all = ranked.map((board, index): CheckedBoard => {
    const values = parts.flatMap((part) => part[index] ?? []);
    // Without values, the rows of one part cannot be compared with those of another.
    const isPartly = board.gaps > 0 || (board.values === 'thinned' && parts.length > 1);
    const isNot = [board, ...values].some(({ extent }) => extent === 'not');
    const recomputed = values.reduce((sum, { rows }) => sum + rows.recomputed, 0);
    return {
      ...board,
      extent: isNot ? 'not' : isPartly ? 'partly' : 'fully',
      rows: { recomputed, stated: 0 },
      is_sound: board.is_sound && values.every(({ is_sound }) => is_sound),
    };
  });
  for (const board of all) {
    if (board.values === 'kept' || store.keptDays.publication(board.as_of)?.thinned) continue;
    const message = `the ${board.kept} board of ${board.as_of}: its values are missing`;
    findings.add({ code: 'board_stated', message, as_of: board.as_of });
  }
  return { boards: all, left: kept.length - days.length };
}

function partsOf(
  operators: readonly LoggedOperator[],
  { bucketCounts }: Pick<DatabaseInspection['replayed'], 'bucketCounts'>,
): LoggedOperator[][] {
  const counts = new Map(bucketCounts());
  const parts: LoggedOperator[][] = [];
  let room = 0;
  for (const operator of operators) {
    const count = counts.get(operator.id) ?? 0;
    if (room < count || parts.length === 0) {
      parts.push([]);
      room = BUCKETS_AT_ONCE;
    }
    parts.at(-1)?.push(operator);
    room -= count;
  }
  return parts;
}

/** Reads the log once for each group of operators, and checks all boards in each pass. */
class BoardPass {
  readonly #store: StoredBoards;
  readonly #days: readonly string[];
  readonly #current: LoggedBoard | null;
  readonly #replayed: DatabaseInspection['replayed'];
  readonly #check: EntriesCheck;
  readonly #findings: WholeFindings;

  constructor(
    {
      store,
      days,
      replayed,
    }: { store: StoredBoards; days: readonly string[]; replayed: DatabaseInspection['replayed'] },
    check: EntriesCheck,
    findings: WholeFindings,
  ) {
    this.#store = store;
    this.#days = days;
    this.#current = currentBoard(store);
    this.#replayed = replayed;
    this.#check = check;
    this.#findings = findings;
  }

  /** Recomputes the rows of some operators. The rows of all others are left empty. */
  values(part: readonly LoggedOperator[]): readonly CheckedBoard[] {
    const { codenames, recounted, unreadable, requiresStatedDays } = this.#check;
    const chain = { emptyIn: () => 1 };
    const known = { codenames, recounted, unreadable, requiresStatedDays, chain };
    const range = [part[0]?.id ?? 0, part.at(-1)?.id ?? 0] as const;
    return this.#run(known, part, { range, kept: 'daily' });
  }

  /** Compares the ranks of all rows, taking their stored values as given. */
  ranks(everybody: readonly LoggedOperator[]): readonly CheckedBoard[] {
    const rows = everybody.map((operator) => ({ ...operator, takes_part: 0 as const }));
    return this.#run(this.#check, rows, { range: [0, 0] });
  }

  /** @param range The operators whose entries are replayed, in addition to entries without an owner. */
  #run(
    known: Known,
    rows: readonly LoggedOperator[],
    { range, ...head }: { range: readonly [number, number]; kept?: 'daily' },
  ): readonly CheckedBoard[] {
    const found = new Findings();
    const replay = new LogReplay(known, found);
    const boards = boardsInLogOrder(this.#store, this.#days, this.#current);
    let board = boards.next().value;
    const showUntil = (log_index: number) => {
      for (; board && board.log_index < log_index; board = boards.next().value) {
        // The number of rows is not needed here, and counting them is slow.
        const shown = { ...board, ...head, rowsIn: () => 0 };
        for (const line of linesOfBoard(shown, rows)) replay.add({ ...line, check: '' }, 0);
      }
    };
    for (const entry of this.#replayed.entriesOf(...range)) {
      showUntil(entry.log_index);
      replay.add(shownEntry({ ...entry, answer: null }), 0);
    }
    showUntil(Number.POSITIVE_INFINITY);
    replay.finish();
    addFindings(this.#findings, found);
    return replay.boards;
  }
}

/** Adds findings without their line numbers, because these were not read from a file. */
function addFindings(findings: WholeFindings, { kept, total }: Findings): void {
  for (const finding of kept) {
    const { line, ...rest } = finding;
    void line;
    findings.add(rest);
  }
  findings.total += total - kept.length;
}
