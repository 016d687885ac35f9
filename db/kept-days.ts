import { zstdDecompressSync } from './threads/compression.ts';
import type { Database } from 'better-sqlite3';
import type { BoardSlice } from '#core/domain/board/board.ts';
import { readDailyStanding } from '#core/domain/board/daily-standing.ts';
import { DayPlaces } from '#core/domain/board/day-places.ts';
import { boardAt } from '#core/domain/board/day-row.ts';
import { SlicePlaces } from '#core/domain/board/slice-places.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import { columnsOf, keptChunksIn, memberOf } from './kept-chunks.ts';
import type { SeenRow } from './operators.ts';
import { writeTransaction } from './engine/write-lock.ts';
import { statementsIn } from './statements.ts';

export interface DailyPublication {
  day: string;
  log_index: number;
  ruleset: string;
  generated_at: string;
  /** The tools that had their own boards. */
  tools: string[];
  /** Whether any self-reported daily count counted. If not, no slices of all are stored. */
  self_reported: boolean;
  /** Whether the values are no longer stored, only ranks and places. */
  thinned: boolean;
}

/** An operator's current public name. */
type NamedOperator = Pick<SeenRow, 'display_name' | 'privacy_mode'> & {
  operator_id: number;
  codename: string;
};

interface RankSpan extends BoardSlice {
  window: WindowName;
  metric: MetricName;
  from: string;
  to: string;
}

interface DailyRank {
  day: string;
  rank: number | null;
}

type DailyPublicationRow = Omit<DailyPublication, 'self_reported' | 'thinned' | 'tools'> & {
  tools: string;
  self_reported: 0 | 1;
  thinned: 0 | 1;
};

export function keptDaysIn(db: Database) {
  const sql = statementsIn(db);
  const chunks = keptChunksIn(db);
  const forget = ['daily_publications', 'day_places', 'daily_standings'].map((table) =>
    sql.run<(day: string) => void>(`DELETE FROM ${table} WHERE day = ?`),
  );
  const complete = sql.run<(of: object) => void>(`
    INSERT INTO daily_publications (day, log_index, ruleset, generated_at, tools, self_reported)
    VALUES (@day, @log_index, @ruleset, @generated_at, @tools, @self_reported)`);
  const publication = sql.get<(day: unknown) => DailyPublicationRow | undefined>(`
    SELECT * FROM daily_publications WHERE day = ?`);
  const kept = sql.all<(of: object) => DailyPublicationRow[]>(`
    SELECT * FROM daily_publications WHERE day < @before ORDER BY day DESC LIMIT @limit`);
  const named = `
    SELECT id AS operator_id, public_name AS codename, privacy_mode, display_name FROM operators
    WHERE public_name IS NOT NULL`;
  const stood = sql.has<(of: object) => boolean>(`
    SELECT 1 FROM day_places WHERE day = @day AND chunk = @chunk AND instr(members, @low) > 0
    UNION ALL SELECT 1 FROM daily_standings WHERE operator_id = @operator_id AND day = @day LIMIT 1`);

  return {
    ...chunks,
    ...ranksIn(db),
    ...thinningIn(db),
    /** Deletes a day that was stored too early, and the rest of an interrupted attempt to store it. */
    forget: (day: string) => forget.forEach((remove) => remove(day)),
    /** Makes the chunks of a day visible. */
    complete: ({ tools, self_reported, ...row }: Omit<DailyPublication, 'thinned'>) =>
      complete({ ...row, tools: JSON.stringify(tools), self_reported: self_reported ? 1 : 0 }),
    publication(day: string): DailyPublication | undefined {
      const row = publication(day);
      return row && publicationOf(row);
    },
    /** The newest days before another one. */
    kept: (before: string, limit: number) => kept({ before, limit }).map(publicationOf),
    total: sql.value<() => number>('SELECT count(*) FROM daily_publications'),
    /** The ranks and places of all operators in a stored slice on a complete day, whether they are public now or not. */
    places(day: string, slice: BoardSlice): SlicePlaces {
      const read = chunks.chunks(day, slice).map((chunk) => chunks.chunk(day, slice, chunk, false));
      return new SlicePlaces(read.flatMap((chunk) => chunk?.places ?? []));
    },
    /** All operators who are public now, by ID, and one of them. */
    named: sql.all<() => NamedOperator[]>(`${named} ORDER BY id`),
    namedOne: sql.get<(id: number) => NamedOperator | undefined>(`${named} AND id = ?`),
    /** Whether an operator was in any slice on a complete day. */
    stood: (day: string, operator_id: number) =>
      stood({ day, operator_id, ...memberOf(operator_id) }),
  };
}

/** Decompresses a chunk in one piece, which is twice as fast, but keeps 128 kB as long as the result is used. */
const AT_ONCE = { chunkSize: 128 * 1024 };

function ranksIn(db: Database) {
  const sql = statementsIn(db);
  const inChunks = sql.all<
    (of: object) => { day: string; members: Uint8Array; body: Uint8Array }[]
  >(`
    SELECT s.day, s.members, s.body
    FROM daily_publications p
    CROSS JOIN day_places s ON s.day = p.day AND s.tool = @tool AND s.trust = @trust
      AND s.chunk = @chunk
    WHERE p.day BETWEEN @from AND @to AND instr(s.members, @low) > 0`);
  const inRows = sql.all<(of: object) => { day: string; body: Uint8Array }[]>(`
    SELECT s.day, s.body
    FROM daily_publications p
    CROSS JOIN daily_standings s ON s.day = p.day AND s.tool = @tool AND s.trust = @trust
      AND s.operator_id = @operator_id
    WHERE p.day BETWEEN @from AND @to`);

  /** Reads something of one operator on each stored day, oldest first. Days are left out if it is undefined. */
  function onDays<Found>(
    operator_id: number,
    span: Pick<RankSpan, 'from' | 'to'> & BoardSlice,
    read: (rankAt: (board: number) => number | null | undefined) => Found | undefined,
  ): { day: string; found: Found }[] {
    const { chunk, low } = memberOf(operator_id);
    const key = { from: span.from, to: span.to, ...columnsOf(span), operator_id, chunk, low };
    const ofChunks = inChunks(key).map(({ day, members, body }) => {
      const bytes = zstdDecompressSync(body, AT_ONCE);
      const places = new DayPlaces(Uint32Array.from(members), bytes);
      const row = places.rowOf(low[0] as number) as number;
      const rankAt = (board: number) =>
        places.hasTokens(row, board) ? places.rank(row, board) || null : undefined;
      return { day, found: read(rankAt) };
    });
    const ofRows = inRows(key).map(({ day, body }) => {
      const { windows, ranks } = readDailyStanding(operator_id, body);
      const rankAt = (board: number) =>
        board % WINDOWS.length < windows ? ranks[board] || null : undefined;
      return { day, found: read(rankAt) };
    });
    return [...ofChunks, ...ofRows]
      .flatMap(({ day, found }) => (found === undefined ? [] : [{ day, found }]))
      .sort((a, b) => (a.day < b.day ? -1 : 1));
  }

  return {
    /**
     * One operator's ranks in a stored slice on the stored days from `from` to `to`, oldest first; null if unranked.
     * Days on which the operator had no tokens in the window are left out.
     */
    ranksOf(operator_id: number, { window, metric, ...span }: RankSpan): DailyRank[] {
      const board = boardAt(window, metric);
      const days = onDays(operator_id, span, (rankAt) => rankAt(board));
      return days.map(({ day, found: rank }) => ({ day, rank }));
    },
    /** The same for each of some windows, on all days with tokens in any window. */
    ranksBy<Window extends WindowName>(
      operator_id: number,
      windows: readonly Window[],
      { metric, ...span }: Omit<RankSpan, 'window'>,
    ): { day: string; ranks: Record<Window, number | null> }[] {
      const days = onDays(operator_id, span, (rankAt) => {
        const ranks = windows.map((window) => [window, rankAt(boardAt(window, metric)) ?? null]);
        return Object.fromEntries(ranks) as Record<Window, number | null>;
      });
      return days.map(({ day, found: ranks }) => ({ day, ranks }));
    },
  };
}

/** Chunks of values that are deleted in one transaction: about half a megabyte. */
const STEP_CHUNKS = 8;

function thinningIn(db: Database) {
  const sql = statementsIn(db);
  const unfinished = sql.value<() => string | undefined>(`
    SELECT day FROM daily_publications p
    WHERE thinned = 1 AND EXISTS (SELECT 1 FROM day_values v WHERE v.day = p.day) LIMIT 1`);
  const next = sql.value<(before: string) => string | undefined>(`
    SELECT day FROM daily_publications p
    WHERE thinned = 0 AND day < @before
      AND EXISTS (SELECT 1 FROM daily_publications later
        WHERE later.day > p.day AND later.day <= substr(p.day, 1, 7) || '-31')
      AND NOT EXISTS (SELECT 1 FROM daily_standings s WHERE s.day = p.day)
    ORDER BY day LIMIT 1`);
  const mark = sql.run<(day: string) => void>(
    'UPDATE daily_publications SET thinned = 1 WHERE day = ?',
  );
  const remove = sql.run<(day: string) => void>(`
    DELETE FROM day_values WHERE rowid IN (
      SELECT rowid FROM day_values WHERE day = ? LIMIT ${STEP_CHUNKS})`);

  return {
    /**
     * Deletes some values of a day before another one, unless it is the last stored day of its month. The values of a
     * day are gone for readers at once. Returns false if none are left.
     */
    thinNext(before: string): boolean {
      const day = unfinished() ?? next(before);
      if (day === undefined) return false;
      writeTransaction(db, () => {
        mark(day);
        remove(day);
      });
      return true;
    },
  };
}

function publicationOf({ tools, self_reported, thinned, ...row }: DailyPublicationRow) {
  return {
    ...row,
    tools: JSON.parse(tools) as string[],
    self_reported: self_reported === 1,
    thinned: thinned === 1,
  };
}
