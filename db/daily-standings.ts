import type { Database } from 'better-sqlite3';
import type { BoardSlice } from '#core/domain/board/board.ts';
import { dailyPlace, positionOffset } from '#core/domain/board/daily-standing.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { SeenRow } from './operators.ts';
import { statementsIn } from './statements.ts';
import { withWriteLock } from './engine/write-lock.ts';

export interface DailyPublication {
  day: string;
  log_index: number;
  ruleset: string;
  generated_at: string;
  /** The tools that had their own boards. */
  tools: string[];
  /** Whether any self-reported daily count counted. If not, no slices of all are stored. */
  self_reported: boolean;
}

/** An operator's stored places, which `core/domain/daily-standing.ts` reads. */
export interface DailyStandingRow {
  operator_id: number;
  body: Uint8Array;
}

/** The operator's current public name. */
type NamedStandingRow = DailyStandingRow &
  Pick<SeenRow, 'display_name' | 'privacy_mode'> & { codename: string };

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

type DayBoard = Pick<RankSpan, keyof BoardSlice | 'metric' | 'window'>;

/** A range of operators by ID, because a large board has too many to read at once. */
export interface OperatorRange {
  first: number;
  last: number;
}

interface Leader {
  operator_id: number;
  place: number;
}

type DailyPublicationRow = Omit<DailyPublication, 'self_reported' | 'tools'> & {
  tools: string;
  self_reported: 0 | 1;
};

export function dailyStandingsIn(db: Database) {
  const sql = statementsIn(db);
  const reopen = sql.run<(day: unknown) => void>('DELETE FROM daily_publications WHERE day = ?');
  const forget = sql.run<(day: unknown) => void>('DELETE FROM daily_standings WHERE day = ?');
  const add = sql.run<(of: object) => void>(`
    INSERT INTO daily_standings (day, tool, trust, operator_id, body)
    SELECT @day, @tool, @trust, id, @body FROM operators WHERE id = @operator_id`);
  const complete = sql.run<(of: object) => void>(`
    INSERT INTO daily_publications (day, log_index, ruleset, generated_at, tools, self_reported)
    VALUES (@day, @log_index, @ruleset, @generated_at, @tools, @self_reported)`);
  const publication = sql.get<(day: unknown) => DailyPublicationRow | undefined>(`
    SELECT * FROM daily_publications WHERE day = ?`);
  const ofDay = sql.all<(of: object) => NamedStandingRow[]>(`
    SELECT s.operator_id, o.public_name AS codename, o.privacy_mode, o.display_name, s.body
    FROM daily_standings s CROSS JOIN operators o ON o.id = s.operator_id
    WHERE s.day = @day AND s.tool = @tool AND s.trust = @trust AND o.public_name IS NOT NULL`);
  const ofOne = sql.get<(of: object) => NamedStandingRow | undefined>(`
    SELECT s.operator_id, o.public_name AS codename, o.privacy_mode, o.display_name, s.body
    FROM daily_standings s JOIN operators o ON o.id = s.operator_id
    WHERE s.day = @day AND s.tool = @tool AND s.trust = @trust AND s.operator_id = @operator_id
      AND o.public_name IS NOT NULL`);
  const rankedTotal = sql.value<(of: object) => number>(`
    SELECT count(*) FROM daily_standings
    WHERE day = @day AND tool = @tool AND trust = @trust
      AND operator_id BETWEEN @first AND @last AND substr(body, @at, 4) > x'00000000'`);
  const leaders = sql.all<(of: object) => { operator_id: number; place: Uint8Array }[]>(`
    SELECT operator_id, substr(body, @at, 1) AS place FROM daily_standings
    WHERE day = @day AND tool = @tool AND trust = @trust
      AND operator_id BETWEEN @first AND @last
      AND substr(body, @at + 1, 3) = x'000000' AND substr(body, @at, 1) BETWEEN x'01' AND @most`);
  const lastOperator = sql.value<(of: object) => number | null>(`
    SELECT max(operator_id) FROM daily_standings
    WHERE day = @day AND tool = @tool AND trust = @trust`);
  const bodies = sql.all<(of: object) => DailyStandingRow[]>(`
    SELECT operator_id, body FROM daily_standings
    WHERE day = @day AND tool = @tool AND trust = @trust`);
  const stood = sql.has<(operator_id: unknown, day: unknown) => boolean>(`
    SELECT 1 FROM daily_standings WHERE operator_id = ? AND day = ? LIMIT 1`);
  const ofOperator = sql.all<(of: object) => { day: string; body: Uint8Array }[]>(`
    SELECT s.day, s.body
    FROM daily_publications p
    CROSS JOIN daily_standings s ON s.day = p.day AND s.tool = @tool AND s.trust = @trust
      AND s.operator_id = @operator_id
    WHERE p.day BETWEEN @from AND @to ORDER BY p.day`);

  return {
    /** Deletes a day that was stored too early, and the rest of an interrupted attempt to store it. */
    forget(day: string) {
      reopen(day);
      forget(day);
    },
    /** Stores some operators' places in one transaction. They are not visible before {@linkcode complete}. */
    add(day: string, { tool, trust }: BoardSlice, rows: readonly DailyStandingRow[]) {
      const addAll = db.transaction(() => {
        for (const row of rows) add({ day, tool: tool ?? '', trust, ...row });
      });
      withWriteLock(db, () => addAll.immediate());
    },
    complete: ({ tools, self_reported, ...row }: DailyPublication) =>
      complete({
        ...row,
        tools: JSON.stringify(tools),
        self_reported: self_reported ? 1 : 0,
      }),
    publication(day: string): DailyPublication | undefined {
      const row = publication(day);
      return row && publicationOf(row);
    },
    ...keptDaysIn(db),
    /** All operators in a stored slice on a complete day who are public now, under their current names. */
    ofDay: (day: string, { tool, trust }: BoardSlice) => ofDay({ day, tool: tool ?? '', trust }),
    /** The same for one operator; undefined if the operator is not public now. */
    ofOne: (day: string, { tool, trust }: BoardSlice, operator_id: number) =>
      ofOne({ day, tool: tool ?? '', trust, operator_id }),
    /**
     * How many operators in a range were ranked on a stored board of a complete day, whether they are public now or
     * not.
     */
    rankedTotal: (day: string, board: DayBoard, among: OperatorRange) =>
      rankedTotal({ ...placesOf(day, board), ...among }),
    /** The operators in a range among the first `most` places, at most 255, whether they are public now or not. */
    leaders(day: string, board: DayBoard, most: number, among: OperatorRange): Leader[] {
      const asked = { ...placesOf(day, board), ...among, most: Buffer.of(most) };
      const rows = leaders(asked);
      return rows.map(({ operator_id, place }) => ({ operator_id, place: place[0] as number }));
    },
    /** The highest ID of an operator in a stored slice on a complete day; 0 if there were none. */
    lastOperator: (day: string, { tool, trust }: BoardSlice) =>
      lastOperator({ day, tool: tool ?? '', trust }) ?? 0,
    /** What is stored about all operators in a slice on a complete day. */
    bodies: (day: string, { tool, trust }: BoardSlice) => bodies({ day, tool: tool ?? '', trust }),
    /** Whether an operator was in any slice on a complete day. */
    stood: (day: string, operator_id: number) => stood(operator_id, day),
    /**
     * One operator's ranks in a stored slice on the stored days from `from` to `to`, oldest first; null if unranked.
     * Days on which the operator had no tokens in the window are left out.
     */
    ranksOf(operator_id: number, { window, metric, ...span }: RankSpan): DailyRank[] {
      const rows = ofOperator({ ...span, operator_id, tool: span.tool ?? '' });
      return rows.flatMap(({ day, body }) => {
        const place = dailyPlace(body, window, metric);
        return place ? [{ day, rank: place.rank }] : [];
      });
    },
  };
}

function keptDaysIn(db: Database) {
  const sql = statementsIn(db);
  const kept = sql.all<(of: object) => Omit<DailyPublicationRow, 'self_reported'>[]>(`
    SELECT day, log_index, ruleset, generated_at, tools FROM daily_publications
    WHERE day < @before ORDER BY day DESC LIMIT @limit`);

  return {
    kept(before: string, limit: number): Omit<DailyPublication, 'self_reported'>[] {
      const rows = kept({ before, limit });
      return rows.map(({ tools, ...row }) => ({ ...row, tools: JSON.parse(tools) as string[] }));
    },
    total: sql.value<() => number>('SELECT count(*) FROM daily_publications'),
  };
}

/** SQLite counts bytes from 1. */
function placesOf(day: string, { tool, trust, window, metric }: DayBoard) {
  return { day, tool: tool ?? '', trust, at: positionOffset(window, metric) + 1 };
}

function publicationOf({ tools, self_reported, ...row }: DailyPublicationRow): DailyPublication {
  return { ...row, tools: JSON.parse(tools) as string[], self_reported: self_reported === 1 };
}
