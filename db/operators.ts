import type { Database } from 'better-sqlite3';
import type { PrivacyMode } from '#core/schema/record.ts';
import { returned } from './returned.ts';

export interface Operator {
  id: number;
  public_id: string;
  codename: string;
  privacy_mode: PrivacyMode;
  data_opt_out: 0 | 1;
  created_at: string;
  /** The last log entry that touched what counts for this operator; 0 before the first. */
  log_index: number;
  /** What the public calls the operator; null if it must not see anything. */
  public_name: string | null;
  /** Whether page, keys and envelopes are public. */
  is_open: 0 | 1;
  /** How often the operator changed how it is seen; each time has another alias. */
  anonymity_epoch: number;
  /** 0 while the codename is one that the board made up. */
  codename_confirmed: 0 | 1;
  renamed_at: string | null;
  display_name: string | null;
  bio: string | null;
  location: string | null;
  /** As a JSON array. */
  links: string;
  cohort_id: string | null;
  /** Since when the keeper shows the operator to nobody; null if it does not. */
  hidden_at: string | null;
}

/** How an operator is seen from now on. */
export type SeenAs = Pick<
  Operator,
  | 'anonymity_epoch'
  | 'codename'
  | 'data_opt_out'
  | 'hidden_at'
  | 'id'
  | 'is_open'
  | 'privacy_mode'
  | 'public_name'
>;

/** How an operator stands on the board. */
export type SeenRow = Pick<
  Operator,
  'cohort_id' | 'data_opt_out' | 'display_name' | 'id' | 'privacy_mode'
> & { public_name: string };

/** What operators tell of themselves. */
export type ProfileRow = Pick<
  Operator,
  'bio' | 'cohort_id' | 'display_name' | 'links' | 'location'
>;

/** Holds for every account but those that are being erased, which are gone for all that ask. */
const THERE = 'erasing_at IS NULL';

export function operatorsIn(db: Database) {
  const insert = db.prepare(
    `INSERT INTO operators (public_id, codename, public_name, created_at, codename_confirmed)
     VALUES (@public_id, @codename, @codename, @created_at, @codename_confirmed)
     ON CONFLICT (codename) DO NOTHING
     RETURNING *`,
  );
  const all = db.prepare(`SELECT * FROM operators WHERE ${THERE} ORDER BY id`);
  const byId = db.prepare(`SELECT * FROM operators WHERE id = ? AND ${THERE}`);
  const byPublicId = db.prepare(`SELECT * FROM operators WHERE public_id = ? AND ${THERE}`);
  const byCodename = db.prepare(`SELECT * FROM operators WHERE codename = ? AND ${THERE}`);
  const byPublicName = db.prepare('SELECT * FROM operators WHERE public_name = ?');
  const hidden = db.prepare(`SELECT * FROM operators WHERE hidden_at IS NOT NULL AND ${THERE}`);
  const touch = db.prepare('UPDATE operators SET log_index = @log_index WHERE id = @id');
  const changedSince = db.prepare(
    `SELECT * FROM operators WHERE log_index > ? AND ${THERE} ORDER BY id`,
  );
  const ids = db.prepare(`SELECT id FROM operators WHERE log_index > 0 AND ${THERE}`).pluck();
  const total = db
    .prepare(`SELECT count(*) FROM operators WHERE log_index > 0 AND ${THERE}`)
    .pluck();
  const seen = db.prepare(
    `SELECT id, public_name, privacy_mode, display_name, cohort_id, data_opt_out FROM operators
     WHERE public_name IS NOT NULL AND log_index > 0`,
  );
  const openBetween = db
    .prepare(
      `SELECT o.public_name, e.received_at
       FROM operators o LEFT JOIN log_entries e ON e.log_index = o.log_index AND e.log_index <= @until
       WHERE o.is_open = 1 AND o.log_index > 0 AND o.public_name BETWEEN @first AND @last`,
    )
    .raw();
  const setSeenAs = db.prepare(
    `UPDATE operators SET codename = @codename, privacy_mode = @privacy_mode,
       data_opt_out = @data_opt_out, public_name = @public_name, is_open = @is_open,
       anonymity_epoch = @anonymity_epoch, hidden_at = @hidden_at
     WHERE id = @id`,
  );
  const setProfile = db.prepare(
    `UPDATE operators SET display_name = @display_name, bio = @bio, location = @location,
       links = @links, cohort_id = @cohort_id
     WHERE id = @id`,
  );
  const confirmCodename = db.prepare(
    `UPDATE operators SET codename_confirmed = 1, renamed_at = coalesce(@renamed_at, renamed_at)
     WHERE id = @id`,
  );

  return {
    /** The new account, or undefined if the codename is taken. */
    add(
      operator: Pick<Operator, 'public_id' | 'codename' | 'created_at'> &
        Partial<Pick<Operator, 'codename_confirmed'>>,
    ) {
      return returned(insert, { codename_confirmed: 1, ...operator }) as Operator | undefined;
    },
    /** Everybody. */
    all: () => all.all() as Operator[],
    byId: (id: number) => byId.get(id) as Operator | undefined,
    byPublicId: (public_id: string) => byPublicId.get(public_id) as Operator | undefined,
    byCodename: (codename: string) => byCodename.get(codename) as Operator | undefined,
    /** Whom the public calls so. */
    byPublicName: (name: string) => byPublicName.get(name) as Operator | undefined,
    /** Whom the keeper shows to nobody. */
    hidden: () => hidden.all() as Operator[],
    touch(id: number, log_index: number) {
      touch.run({ id, log_index });
    },
    /** Those touched by a log entry after `log_index`. */
    changedSince: (log_index: number) => changedSince.all(log_index) as Operator[],
    /** The ids of all that ever stood in the log. */
    logged: () => ids.all() as number[],
    /** How many of them there are. */
    loggedTotal: () => total.get() as number,
    /** All in the log whom the public may see. */
    seen: () => seen.all() as SeenRow[],
    /**
     * Those in the log who have a page, with names from `first` to `last`: each with the instant of the
     * last entry that touched what counts for it, null if that came after the entry `until`.
     */
    openBetween: (first: string, last: string, until: number) =>
      openBetween.all({ first, last, until }) as [codename: string, received_at: string | null][],
    setSeenAs(row: SeenAs) {
      setSeenAs.run(row);
    },
    setProfile(id: number, profile: ProfileRow) {
      setProfile.run({ id, ...profile });
    },
    /** Takes the codename for one that the operator chose; `renamed_at` if it replaced another. */
    confirmCodename(id: number, renamed_at: string | null) {
      confirmCodename.run({ id, renamed_at });
    },
  };
}
