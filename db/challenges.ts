import type { Database } from 'better-sqlite3';
import type { RepeatRule } from '#core/domain/board/challenge-series.ts';
import type { RankedChallenge } from '#core/domain/board/challenge.ts';
import { intervalOfRuleset } from '#core/domain/board/ruleset.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import type { ChallengeEligibility, ChallengeTerms } from '#core/schema/challenge.ts';
import type { PrivacyMode } from '#core/schema/record.ts';
import { DECIDED } from './packed/views.ts';
import { statementsIn } from './statements.ts';
import { writeTransaction } from './engine/write-lock.ts';

/** What an admin can change before the start. */
export type EditedChallenge = ChallengeTerms & { ruleset: string };

interface NewChallenge extends ChallengeTerms {
  /** The ranking rules that apply to it. */
  ruleset: string;
  created_at: string;
  /** The series of a challenge that repeats; null if it does not. */
  series: number | null;
}

/** A challenge that repeats, with the days of the first one. */
export interface ChallengeSeries {
  id: number;
  /** The ID of the first challenge. */
  slug: string;
  rule: RepeatRule;
  first_day: string;
  last_day: string;
  /** Null while it repeats. */
  stopped_at: string | null;
}

export interface ChallengeRow extends NewChallenge {
  seq: number;
  cancelled_at: string | null;
  cancelled_reason: string | null;
  frozen_at: string | null;
  /** The last log entry that counts in the final standings. */
  frozen_log_index: number | null;
  /** Submissions for its days that did not count at the end, by log index, as JSON. */
  left_out: string | null;
  /** How many participants were not ranked at the end. */
  unranked: number;
}

export interface FrozenPlace {
  place: number;
  rank: number;
  best: number;
  worst: number;
  operator_id: number;
  value: number;
  low: number;
  high: number | null;
  total: number;
  active_days: number;
}

/** A place, with the current public name of its owner; all null if the account was deleted. */
export type NamedPlace = Pick<FrozenPlace, 'best' | 'place' | 'rank' | 'worst'> & {
  [Member in 'active_days' | 'low' | 'operator_id' | 'total' | 'value']: number | null;
} & {
  high: number | null;
  codename: string | null;
  display_name: string | null;
  privacy_mode: PrivacyMode | null;
};

export type Freezing = Pick<ChallengeRow, 'seq' | 'unranked'> & {
  frozen_at: string;
  frozen_log_index: number;
  left_out: string;
};

type StoredRow = Omit<ChallengeRow, 'eligibility'> & { eligibility: string };

export function challengesIn(db: Database) {
  const sql = statementsIn(db);
  const insert = sql.did<(of: object) => boolean>(`
    INSERT INTO challenges (id, title, description, metric, tool, first_day, last_day, eligibility, ruleset, created_at, series)
    VALUES (@id, @title, @description, @metric, @tool, @first_day, @last_day, @eligibility, @ruleset, @created_at, @series)
    ON CONFLICT (id) DO NOTHING`);
  const all = sql.all<() => StoredRow[]>('SELECT * FROM challenges ORDER BY seq DESC');
  const edit = sql.did<(of: object) => boolean>(`
    UPDATE challenges SET title = @title, description = @description, metric = @metric, tool = @tool,
      first_day = @first_day, last_day = @last_day, eligibility = @eligibility, ruleset = @ruleset
    WHERE id = @id`);
  const byId = sql.get<(id: unknown) => StoredRow | undefined>(`
    SELECT * FROM challenges WHERE id = ?`);
  const begun = sql.all<(day: unknown) => StoredRow[]>(`
    SELECT * FROM challenges
    WHERE first_day <= ? AND cancelled_at IS NULL AND frozen_at IS NULL ORDER BY seq`);
  const clear = ['challenge_standings', 'challenge_places'].map((table) =>
    sql.run<(seq: number) => void>(`DELETE FROM ${table} WHERE challenge = ?`),
  );
  const addPlace = sql.run<(of: object) => void>(`
    INSERT INTO challenge_places (challenge, place, rank, best, worst)
    VALUES (@seq, @place, @rank, @best, @worst)`);
  const addStanding = sql.run<(of: object) => void>(`
    INSERT INTO challenge_standings (challenge, place, operator_id, value, low, high, total, active_days)
    SELECT @seq, @place, id, @value, @low, @high, @total, @active_days
    FROM operators WHERE id = @operator_id`);
  const leftOut = sql.all<
    (of: object) => { log_index: number; operator_id: number; tools: string }[]
  >(`
    SELECT log_index, operator_id, tools FROM submissions
    WHERE ${DECIDED} AND state IN ('held', 'rejected', 'withdrawn')
      AND log_index <= @until AND keyid IS NOT NULL
      AND first_day <= @last_day AND last_day >= @first_day ORDER BY log_index`);
  const receivedAt = sql.value<(middle: unknown) => string>(`
    SELECT received_at FROM log_entries WHERE log_index = ?`);
  const lastEntry = sql.value<() => number | undefined>(
    'SELECT log_index FROM log_entries ORDER BY log_index DESC LIMIT 1',
  );

  return {
    /** Adds a challenge. Returns false if its ID is taken. */
    add: ({ eligibility, ...row }: NewChallenge) =>
      insert({ ...row, eligibility: JSON.stringify(eligibility) }),
    /** Changes a challenge that has not started. */
    edit: ({ eligibility, ...row }: EditedChallenge) =>
      edit({ ...row, eligibility: JSON.stringify(eligibility) }),
    ...challengeSeriesIn(sql),
    all: () => all().map(rowOf),
    byId(id: string): ChallengeRow | undefined {
      const row = byId(id);
      return row && rowOf(row);
    },
    /** Challenges that have begun by a day and have no final standings yet. */
    begun: (day: string) => begun(day).map(rowOf),
    /** Cancels a challenge. Returns false if it has final standings or is already canceled. */
    cancel: sql.did<
      (row: { id: string; cancelled_at: string; cancelled_reason: string }) => boolean
    >(`
      UPDATE challenges SET cancelled_at = @cancelled_at, cancelled_reason = @cancelled_reason
      WHERE id = @id AND cancelled_at IS NULL AND frozen_at IS NULL`),
    /** Deletes the rest of an interrupted attempt to store final standings. */
    forgetPlaces(seq: number) {
      clear.forEach((run) => run(seq));
    },
    /** Stores some places in one transaction. They are not visible before {@linkcode freeze}. */
    addPlaces(seq: number, rows: readonly FrozenPlace[]) {
      writeTransaction(db, () => {
        for (const row of rows) {
          addPlace({ ...row, seq });
          addStanding({ ...row, seq });
        }
      });
    },
    /** Makes the places final. Returns false if the challenge was canceled meanwhile. */
    freeze: sql.did<(freezing: Freezing) => boolean>(`
      UPDATE challenges SET frozen_at = @frozen_at, frozen_log_index = @frozen_log_index,
        left_out = @left_out, unranked = @unranked
      WHERE seq = @seq AND cancelled_at IS NULL AND frozen_at IS NULL`),
    places: sql.all<(seq: number, after: number, limit: number) => NamedPlace[]>(`
      SELECT p.place, p.rank, p.best, p.worst, s.operator_id, s.value, s.low, s.high, s.total,
        s.active_days, o.public_name AS codename, o.display_name, o.privacy_mode
      FROM challenge_places p
      LEFT JOIN challenge_standings s ON s.challenge = p.challenge AND s.place = p.place
      LEFT JOIN operators o ON o.id = s.operator_id
      WHERE p.challenge = @seq AND p.place > @after ORDER BY p.place LIMIT @limit`),
    /** An operator's final place; undefined if there is none. */
    placeOf: sql.value<(seq: number, operator_id: number) => number | undefined>(`
      SELECT place FROM challenge_standings WHERE challenge = ? AND operator_id = ?`),
    total: sql.value<(seq: number) => number>(`
      SELECT count(*) FROM challenge_places WHERE challenge = ?`),
    /** Signed submissions up to a log entry that concern a challenge's days and do not count now. */
    leftOut: ({ first_day, last_day }: ChallengeRow, until: number) =>
      leftOut({ first_day, last_day, until }),
    /** The last entry before an instant, by binary search, because entries are in order of time. */
    lastEntryBefore(instant: string): number {
      let [low, high] = [0, lastEntry() ?? 0];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (receivedAt(middle) < instant) low = middle;
        else high = middle - 1;
      }
      return low;
    },
  };
}

/** The rules of challenges that repeat. */
function challengeSeriesIn(sql: ReturnType<typeof statementsIn>) {
  const newestOf = sql.get<(series: unknown) => StoredRow | undefined>(`
    SELECT * FROM challenges WHERE series = ? ORDER BY first_day DESC LIMIT 1`);
  const addSeries = sql.value<(of: object) => number>(`
    INSERT INTO challenge_series (slug, rule, first_day, last_day)
    VALUES (@slug, @rule, @first_day, @last_day) RETURNING id`);

  return {
    /** Adds a series and returns its number. */
    addSeries: (series: Omit<ChallengeSeries, 'id' | 'stopped_at'>) => addSeries(series),
    series: sql.get<(id: number | null) => ChallengeSeries | undefined>(`
      SELECT * FROM challenge_series WHERE id = ?`),
    /** The series that repeat. */
    runningSeries: sql.all<() => ChallengeSeries[]>(`
      SELECT * FROM challenge_series WHERE stopped_at IS NULL ORDER BY id`),
    newestOfSeries(series: number): ChallengeRow | undefined {
      const row = newestOf(series);
      return row && rowOf(row);
    },
    /** Stops a series. Returns false if it was stopped before. */
    stopSeries: sql.did<(of: Pick<ChallengeSeries, 'id' | 'stopped_at'>) => boolean>(`
      UPDATE challenge_series SET stopped_at = @stopped_at WHERE id = @id AND stopped_at IS NULL`),
  };
}

export function rankedBy(row: ChallengeRow): RankedChallenge {
  const { seq, metric, tool, eligibility } = row;
  const [first, last] = [dayNumber(row.first_day), dayNumber(row.last_day)];
  const interval = intervalOfRuleset(row.ruleset);
  return { seq, metric, tool, first, last, eligibility, interval };
}

function rowOf({ eligibility, ...row }: StoredRow): ChallengeRow {
  return { ...row, eligibility: JSON.parse(eligibility) as ChallengeEligibility };
}
