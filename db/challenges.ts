import type { Database } from 'better-sqlite3';
import type { RankedChallenge } from '#core/domain/board/challenge.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import type { ChallengeEligibility, ChallengeTerms } from '#core/schema/challenge.ts';
import type { PrivacyMode } from '#core/schema/record.ts';

interface NewChallenge extends ChallengeTerms {
  /** The rules in force then. */
  ruleset: string;
  created_at: string;
}

export interface ChallengeRow extends NewChallenge {
  seq: number;
  cancelled_at: string | null;
  cancelled_reason: string | null;
  frozen_at: string | null;
  /** The last entry that counts in them. */
  frozen_log_index: number | null;
  /** The submissions of its days that did not count then, by log index, as JSON. */
  left_out: string | null;
  /** Who took part without being ranked then. */
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

/** A place, with its owner as the public calls it now; all null where the account is gone. */
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

interface LeftOut {
  log_index: number;
  operator_id: number;
  tools: string;
}

type StoredRow = Omit<ChallengeRow, 'eligibility'> & { eligibility: string };

export function challengesIn(db: Database) {
  const insert = db.prepare(
    `INSERT INTO challenges (id, title, description, metric, tool, first_day, last_day, eligibility, ruleset, created_at)
     VALUES (@id, @title, @description, @metric, @tool, @first_day, @last_day, @eligibility, @ruleset, @created_at)
     ON CONFLICT (id) DO NOTHING`,
  );
  const all = db.prepare('SELECT * FROM challenges ORDER BY seq DESC');
  const byId = db.prepare('SELECT * FROM challenges WHERE id = ?');
  const begun = db.prepare(
    `SELECT * FROM challenges
     WHERE first_day <= ? AND cancelled_at IS NULL AND frozen_at IS NULL ORDER BY seq`,
  );
  const cancel = db.prepare(
    `UPDATE challenges SET cancelled_at = @cancelled_at, cancelled_reason = @cancelled_reason
     WHERE id = @id AND cancelled_at IS NULL AND frozen_at IS NULL`,
  );
  const clear = ['challenge_standings', 'challenge_places'].map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE challenge = ?`),
  );
  const addPlace = db.prepare(
    `INSERT INTO challenge_places (challenge, place, rank, best, worst)
     VALUES (@seq, @place, @rank, @best, @worst)`,
  );
  const addStanding = db.prepare(
    `INSERT INTO challenge_standings (challenge, place, operator_id, value, low, high, total, active_days)
     SELECT @seq, @place, id, @value, @low, @high, @total, @active_days
     FROM operators WHERE id = @operator_id`,
  );
  const freeze = db.prepare(
    `UPDATE challenges SET frozen_at = @frozen_at, frozen_log_index = @frozen_log_index,
       left_out = @left_out, unranked = @unranked
     WHERE seq = @seq AND cancelled_at IS NULL AND frozen_at IS NULL`,
  );
  const places = db.prepare(
    `SELECT p.place, p.rank, p.best, p.worst, s.operator_id, s.value, s.low, s.high, s.total,
       s.active_days, o.public_name AS codename, o.display_name, o.privacy_mode
     FROM challenge_places p
     LEFT JOIN challenge_standings s ON s.challenge = p.challenge AND s.place = p.place
     LEFT JOIN operators o ON o.id = s.operator_id
     WHERE p.challenge = @seq AND p.place > @after ORDER BY p.place LIMIT @limit`,
  );
  const total = db.prepare('SELECT count(*) FROM challenge_places WHERE challenge = ?').pluck();
  // Written so that SQLite reads the few by their states, not all by their places.
  const leftOut = db.prepare(
    `SELECT log_index, operator_id, tools FROM submissions
     WHERE state <> 'accepted' AND state IN ('held', 'rejected', 'withdrawn')
       AND +log_index <= @until AND keyid IS NOT NULL
       AND first_day <= @last_day AND last_day >= @first_day ORDER BY +log_index`,
  );
  const receivedAt = db.prepare('SELECT received_at FROM log_entries WHERE log_index = ?').pluck();
  const lastEntry = db.prepare('SELECT coalesce(max(log_index), 0) FROM log_entries').pluck();

  return {
    /** Adds a challenge; false if its id is taken. */
    add: ({ eligibility, ...row }: NewChallenge) =>
      insert.run({ ...row, eligibility: JSON.stringify(eligibility) }).changes > 0,
    all: () => (all.all() as StoredRow[]).map(rowOf),
    byId(id: string): ChallengeRow | undefined {
      const row = byId.get(id) as StoredRow | undefined;
      return row && rowOf(row);
    },
    /** Those that have begun by a day and have no final standings yet. */
    begun: (day: string) => (begun.all(day) as StoredRow[]).map(rowOf),
    /** Cancels a challenge; false if it has final standings or was cancelled before. */
    cancel: (row: { id: string; cancelled_at: string; cancelled_reason: string }) =>
      cancel.run(row).changes > 0,
    /** Drops what an interrupted attempt to freeze standings has left. */
    forgetPlaces(seq: number) {
      clear.forEach((statement) => statement.run(seq));
    },
    /** Keeps some places, in one transaction; nobody sees them before {@linkcode freeze}. */
    addPlaces(seq: number, rows: readonly FrozenPlace[]) {
      db.transaction(() => {
        for (const row of rows) {
          addPlace.run({ ...row, seq });
          addStanding.run({ ...row, seq });
        }
      }).immediate();
    },
    /** Makes the places final, unless the challenge was cancelled meanwhile. */
    freeze: (freezing: Freezing) => void freeze.run(freezing),
    places: (seq: number, after: number, limit: number) =>
      places.all({ seq, after, limit }) as NamedPlace[],
    total: (seq: number) => total.get(seq) as number,
    /** Signed submissions up to an entry that speak of a challenge's days and do not count now. */
    leftOut: ({ first_day, last_day }: ChallengeRow, until: number) =>
      leftOut.all({ first_day, last_day, until }) as LeftOut[],
    /** The last entry that came in before an instant, by binary search: entries are in order of time. */
    lastEntryBefore(instant: string): number {
      let [low, high] = [0, lastEntry.get() as number];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((receivedAt.get(middle) as string) < instant) low = middle;
        else high = middle - 1;
      }
      return low;
    },
  };
}

export function rankedBy(row: ChallengeRow): RankedChallenge {
  const { seq, metric, tool, eligibility } = row;
  const [first, last] = [dayNumber(row.first_day), dayNumber(row.last_day)];
  return { seq, metric, tool, first, last, eligibility };
}

function rowOf({ eligibility, ...row }: StoredRow): ChallengeRow {
  return { ...row, eligibility: JSON.parse(eligibility) as ChallengeEligibility };
}
