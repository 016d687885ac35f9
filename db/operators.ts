import type { Database } from 'better-sqlite3';
import type { Role } from '#core/schema/account.ts';
import type { PrivacyMode } from '#core/schema/record.ts';
import { statementsIn } from './statements.ts';

export interface Operator {
  id: number;
  public_id: string;
  codename: string;
  privacy_mode: PrivacyMode;
  data_opt_out: 0 | 1;
  created_at: string;
  /** The last log entry that changed what counts for this operator; 0 before the first. */
  log_index: number;
  /** The operator's public name; null if the operator is not public. */
  public_name: string | null;
  /** Whether the page, keys and envelopes are public. */
  is_open: 0 | 1;
  /** How often the operator's visibility changed. Each change gives another alias. */
  anonymity_epoch: number;
  /** 0 while the codename is one that the board generated. */
  codename_confirmed: 0 | 1;
  renamed_at: string | null;
  display_name: string | null;
  bio: string | null;
  location: string | null;
  links: string;
  cohort_id: string | null;
  /** Since when the admin hides the operator; null if the operator is not hidden. */
  hidden_at: string | null;
  /** What the account may do on the admin pages. */
  role: Role;
  /** The first day, since 1970-01-01, for which late changes and lowered days are known. */
  changes_known_from: number;
}

/** An operator's new visibility. */
type SeenAs = Pick<
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

export type SeenRow = Pick<
  Operator,
  'cohort_id' | 'data_opt_out' | 'display_name' | 'id' | 'privacy_mode'
> & { public_name: string };

export type ProfileRow = Pick<
  Operator,
  'bio' | 'cohort_id' | 'display_name' | 'links' | 'location'
>;

/** True for every account except those being erased, which no query returns. */
const THERE = 'erasing_at IS NULL';

export function operatorsIn(db: Database) {
  const sql = statementsIn(db);
  const insert = sql.get<(of: object) => Operator | undefined>(`
    INSERT INTO operators (public_id, codename, public_name, created_at, codename_confirmed)
    VALUES (@public_id, @codename, @codename, @created_at, @codename_confirmed)
    ON CONFLICT (codename) DO NOTHING
    RETURNING *`);
  const touch = sql.run<(of: object) => void>(`
    UPDATE operators SET log_index = @log_index WHERE id = @id`);
  const openBetween = sql.tuples<(of: object) => [codename: string, received_at: string | null][]>(`
    SELECT o.public_name, (
      SELECT received_at FROM log_entries e WHERE e.log_index = o.log_index AND e.log_index <= @until)
    FROM operators o
    WHERE o.is_open = 1 AND o.log_index > 0 AND o.public_name BETWEEN @first AND @last`);
  const setProfile = sql.run<(of: object) => void>(`
    UPDATE operators SET display_name = @display_name, bio = @bio, location = @location,
      links = @links, cohort_id = @cohort_id
    WHERE id = @id`);
  const setCohort = sql.run<(of: object) => void>(`
    UPDATE operators SET cohort_id = @cohort_id WHERE id = @id`);
  const setRole = sql.run<(of: object) => void>('UPDATE operators SET role = @role WHERE id = @id');
  const search = sql.all<(of: object) => Operator[]>(`
    SELECT * FROM operators
    WHERE codename > @after AND ${THERE} AND (@part = '' OR instr(codename, @part) > 0
      OR instr(coalesce(public_name, ''), @part) > 0 OR instr(lower(coalesce(display_name, '')), @part) > 0)
    ORDER BY codename LIMIT @limit`);
  const confirmCodename = sql.run<(of: object) => void>(`
    UPDATE operators SET codename_confirmed = 1, renamed_at = coalesce(@renamed_at, renamed_at)
    WHERE id = @id`);

  return {
    /** Returns the new account, or undefined if the codename is taken. */
    add(
      operator: Pick<Operator, 'public_id' | 'codename' | 'created_at'> &
        Partial<Pick<Operator, 'codename_confirmed'>>,
    ) {
      return insert({ codename_confirmed: 1, ...operator });
    },
    all: sql.all<() => Operator[]>(`SELECT * FROM operators WHERE ${THERE} ORDER BY id`),
    byId: sql.get<(id: number) => Operator | undefined>(`
      SELECT * FROM operators WHERE id = ? AND ${THERE}`),
    byPublicId: sql.get<(public_id: string) => Operator | undefined>(`
      SELECT * FROM operators WHERE public_id = ? AND ${THERE}`),
    byCodename: sql.get<(codename: string) => Operator | undefined>(`
      SELECT * FROM operators WHERE codename = ? AND ${THERE}`),
    byPublicName: sql.get<(name: string) => Operator | undefined>(`
      SELECT * FROM operators WHERE public_name = ?`),
    /** Operators that the admin hides. */
    hidden: sql.all<() => Operator[]>(`
      SELECT * FROM operators WHERE hidden_at IS NOT NULL AND ${THERE}`),
    touch: (id: number, log_index: number) => touch({ id, log_index }),
    /** The IDs of all operators who were ever in the log. */
    logged: sql.values<() => number[]>(`SELECT id FROM operators WHERE log_index > 0 AND ${THERE}`),
    loggedTotal: sql.value<() => number>(`
      SELECT count(*) FROM operators WHERE log_index > 0 AND ${THERE}`),
    /** All operators in the log who are public. */
    seen: sql.all<() => SeenRow[]>(`
      SELECT id, public_name, privacy_mode, display_name, cohort_id, data_opt_out FROM operators
      WHERE public_name IS NOT NULL AND log_index > 0`),
    /**
     * Operators in the log who have a page, with names from `first` to `last`. Each has the instant of the last entry
     * that changed what counts for it, or null if that came after the entry `until`.
     */
    openBetween: (first: string, last: string, until: number) =>
      openBetween({ first, last, until }),
    setSeenAs: sql.run<(row: SeenAs) => void>(`
      UPDATE operators SET codename = @codename, privacy_mode = @privacy_mode,
        data_opt_out = @data_opt_out, public_name = @public_name, is_open = @is_open,
        anonymity_epoch = @anonymity_epoch, hidden_at = @hidden_at
      WHERE id = @id`),
    setCohort: (id: number, cohort_id: string) => setCohort({ id, cohort_id }),
    setRole: (id: number, role: Role) => setRole({ id, role }),
    /** Admins and moderators, by codename. */
    withRole: sql.all<() => Operator[]>(`
      SELECT * FROM operators WHERE role <> 'operator' AND ${THERE} ORDER BY role, codename`),
    admins: sql.value<() => number>(`
      SELECT count(*) FROM operators WHERE role = 'admin' AND ${THERE}`),
    /** The number of accounts. */
    total: sql.value<() => number>(`SELECT count(*) FROM operators WHERE ${THERE}`),
    /** Accounts with names that contain `part`, after a codename in order. */
    search: (part: string, after: string, limit: number) => search({ part, after, limit }),
    setProfile: (id: number, profile: ProfileRow) => setProfile({ id, ...profile }),
    /** Records that the operator chose the codename; `renamed_at` if it replaced another. */
    confirmCodename: (id: number, renamed_at: string | null) => confirmCodename({ id, renamed_at }),
  };
}

/** An operator whose history is public, with the current public name. */
interface ShownOperator {
  id: number;
  codename: string;
}

/** A picture, and the data that decides whether it may be shown. */
type ShownPicture = Pick<Operator, 'hidden_at' | 'privacy_mode'> & {
  codename: string;
  hash: string;
};

/** What the rows of a board's page show in addition to the board. */
export function shownRowsIn(db: Database) {
  const sql = statementsIn(db);
  const named = `operators.public_name IN (SELECT value FROM json_each(@names))`;
  const open = sql.all<(of: object) => ShownOperator[]>(`
    SELECT id, public_name AS codename FROM operators WHERE ${named} AND is_open = 1`);
  const pictures = sql.all<(of: object) => ShownPicture[]>(`
    SELECT public_name AS codename, hash, privacy_mode, hidden_at
    FROM operators JOIN avatars ON avatars.operator_id = operators.id WHERE ${named}`);

  return {
    open: (names: readonly string[]) => open({ names: JSON.stringify(names) }),
    pictures: (names: readonly string[]) => pictures({ names: JSON.stringify(names) }),
  };
}

interface Avatar {
  operator_id: number;
  /** SHA-256 of `body`, hex. */
  hash: string;
  /** WebP, 256 × 256 pixels. */
  body: Uint8Array;
  updated_at: string;
}

export function avatarsIn(db: Database) {
  const sql = statementsIn(db);
  return {
    set: sql.run<(avatar: Avatar) => void>(`
      INSERT INTO avatars (operator_id, hash, body, updated_at)
      VALUES (@operator_id, @hash, @body, @updated_at)
      ON CONFLICT (operator_id) DO UPDATE
      SET hash = excluded.hash, body = excluded.body, updated_at = excluded.updated_at`),
    /** Removes an operator's picture. Returns false if there was none. */
    remove: sql.did<(operator_id: number) => boolean>('DELETE FROM avatars WHERE operator_id = ?'),
    hashOf: sql.value<(operator_id: number) => string | undefined>(`
      SELECT hash FROM avatars WHERE operator_id = ?`),
    ofOperator: sql.get<(operator_id: number) => Avatar | undefined>(`
      SELECT * FROM avatars WHERE operator_id = ?`),
    /** The operators whose picture has this hash. Several may have the same one. */
    owners: sql.values<(hash: string) => number[]>(`
      SELECT operator_id FROM avatars WHERE hash = ?`),
  };
}

interface FormerCodename {
  codename: string;
  operator_id: number;
  until: string;
}

/** Reserved names: those that operators gave up, and those of deleted accounts. */
export function codenamesIn(db: Database) {
  const sql = statementsIn(db);
  return {
    /** The operator who gave a name up, while it is reserved. */
    former: sql.get<(codename: string, now: string) => FormerCodename | undefined>(`
      SELECT * FROM former_codenames WHERE codename = @codename AND until > @now`),
    /** The names that an operator gave up, while they are reserved, newest first. */
    formerOf: sql.values<(operator_id: number, now: string) => string[]>(`
      SELECT codename FROM former_codenames
      WHERE operator_id = @operator_id AND until > @now ORDER BY until DESC`),
    addFormer: sql.run<(row: FormerCodename) => void>(`
      INSERT INTO former_codenames (codename, operator_id, until)
      VALUES (@codename, @operator_id, @until)
      ON CONFLICT (codename) DO UPDATE SET operator_id = excluded.operator_id, until = excluded.until`),
    /** Releases a name, because its operator takes it back. */
    removeFormer: sql.run<(codename: string) => void>(`
      DELETE FROM former_codenames WHERE codename = ?`),
    /** Whether the name behind a keyed hash belonged to a deleted account. */
    isReserved: sql.has<(hash: string, now: string) => boolean>(`
      SELECT 1 FROM reserved_codenames WHERE codename_hash = @hash AND until > @now`),
    /** Reserves the name behind a keyed hash. */
    reserve: sql.run<(hash: string, until: string) => void>(`
      INSERT INTO reserved_codenames (codename_hash, until) VALUES (@hash, @until)
      ON CONFLICT (codename_hash) DO UPDATE SET until = max(until, excluded.until)`),
  };
}
