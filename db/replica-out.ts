/** Reads what readers on other machines may get, in pieces. Nothing else is read, see `replica-tables.ts`. */
import type { Database } from 'better-sqlite3';
import { CHUNK_OPERATORS } from '#core/domain/board/day-chunk.ts';
import { DECIDED } from './packed/views.ts';
import {
  BOARD,
  CHALLENGE,
  type Copied,
  type CopiedTable,
  type CopiedValue,
  NAMES,
  OPERATOR,
  PICTURES,
  PLACES,
  VALUES,
} from './replica-tables.ts';
import { statementsIn } from './statements.ts';

const OPEN = 'is_open = 1 AND log_index > 0 AND erasing_at IS NULL';
const NAMED = 'public_name IS NOT NULL AND log_index > 0 AND erasing_at IS NULL';
const OF_OPERATOR = 'operator_id = @id';

/** Which rows of each table belong to an operator, and in which order. */
const OPERATOR_ROWS: Record<keyof typeof OPERATOR, string> = {
  sources: `${OF_OPERATOR} ORDER BY source`,
  daily_counts: `${OF_OPERATOR} AND counts = 1 ORDER BY day, source, device_id`,
  unmoved_buckets: `${OF_OPERATOR} AND counts = 1 ORDER BY day, tool, device_id, provider, model`,
  changed_days: `${OF_OPERATOR} ORDER BY day`,
  devices: `${OF_OPERATOR} ORDER BY id`,
  device_keys: `device_id IN (SELECT id FROM devices WHERE ${OF_OPERATOR}) ORDER BY keyid`,
  packed_entries: `log_index IN (SELECT log_index FROM packed_submissions WHERE ${OF_OPERATOR})
    ORDER BY log_index`,
  packed_submissions: `${OF_OPERATOR} ORDER BY log_index`,
  words: `${OF_OPERATOR} AND id IN (SELECT words FROM packed_submissions WHERE ${OF_OPERATOR})
    ORDER BY id`,
  log_entries: `log_index IN (SELECT log_index FROM main.submissions WHERE ${OF_OPERATOR})
    ORDER BY log_index`,
  submissions: `${OF_OPERATOR} ORDER BY log_index`,
};

/** A submission that did not count, for challenges that it took part in. */
export interface DecidedRow {
  log_index: number;
  operator_id: number;
  first_day: string;
  last_day: string;
  tools: string;
}

/** A chunk of a day. The numbers change when an operator is removed from it. */
interface ChunkMark {
  chunk: number;
  /** How many operators its boards have together, and how many the board of all tools has, signed. */
  members: number;
  ranked: number;
  has_values: 0 | 1;
}

/** How many places of a challenge, chunks of a day, and names are read together, as powers of 2. */
export const PLACES_BITS = 10;
export const GROUP_BITS = 4;
export const NAMES_BITS = 10;

export function replicaOutIn(db: Database) {
  const sql = statementsIn(db);
  const table = tableReaderIn(db);
  const operator = Object.entries(OPERATOR).map(([name, columns]) =>
    table(name, columns, OPERATOR_ROWS[name as keyof typeof OPERATOR]),
  );
  const names = table(
    'operators',
    NAMES.operators,
    `${NAMED} AND id BETWEEN @first AND @last ORDER BY id`,
  );
  const pictures = table(
    'avatars',
    PICTURES.avatars,
    `operator_id IN (SELECT id FROM operators WHERE ${OPEN} AND privacy_mode = 'identified' AND hidden_at IS NULL)
     ORDER BY operator_id`,
  );
  const places = `challenge = @seq AND place BETWEEN @first AND @last`;
  const challenge = [
    table('challenge_places', CHALLENGE.challenge_places, `${places} ORDER BY place`),
    table(
      'challenge_standings',
      CHALLENGE.challenge_standings,
      `${places} AND operator_id IN (SELECT id FROM operators WHERE ${NAMED}) ORDER BY place`,
    ),
  ];
  const changedAt = sql.tuples<(of: object) => [number, string][]>(`
    SELECT id, (SELECT received_at FROM log_entries e WHERE e.log_index = o.log_index)
    FROM operators o WHERE ${OPEN} AND id BETWEEN @first AND @last ORDER BY id`);
  const openBetween = sql.values<(of: object) => number[]>(`
    SELECT id FROM operators WHERE ${OPEN} AND id > @after ORDER BY id LIMIT @limit`);

  return {
    ...boardRowsIn(db, table),
    ...dayRowsIn(db, table),
    /** The tables of an operator. */
    operator: (id: number): CopiedTable[] => operator.map((read) => read({ id })),
    isOpen: sql.has<(id: number) => boolean>(`SELECT 1 FROM operators WHERE id = ? AND ${OPEN}`),
    /** The IDs of operators with a page, after one, in order. */
    openAfter: (after: number, limit: number) => openBetween({ after, limit }),
    lastId: sql.value<() => number>('SELECT coalesce(max(id), 0) FROM operators'),
    /** The places of an operator in final standings, by challenge. */
    placesOf: sql.tuples<(id: number) => [seq: number, place: number][]>(`
      SELECT challenge, place FROM challenge_standings
      WHERE operator_id = ? AND challenge IN (SELECT seq FROM challenges WHERE frozen_at IS NOT NULL)
      ORDER BY challenge`),
    /** Operators with public names among some IDs, and when the last entry of those with a page was received. */
    names: (first: number, last: number) => ({
      tables: [names({ first, last })],
      changedAt: changedAt({ first, last }),
    }),
    pictures: (): CopiedTable[] => [pictures({})],
    picture: sql.value<(hash: string) => Uint8Array | undefined>(`
      SELECT body FROM avatars WHERE hash = ? LIMIT 1`),
    frozen: sql.all<() => { seq: number; pages: number }[]>(`
      SELECT seq, 1 + (coalesce((SELECT max(place) FROM challenge_places p WHERE p.challenge = c.seq), 0) >> ${PLACES_BITS}) AS pages
      FROM challenges c WHERE frozen_at IS NOT NULL ORDER BY seq`),
    /** The pages of challenges with places of an operator. */
    pagesOf: sql.tuples<(id: number) => [seq: number, page: number][]>(`
      SELECT challenge, place >> ${PLACES_BITS} FROM challenge_standings WHERE operator_id = ?`),
    participants: sql.values<(seq: number) => number[]>(`
      SELECT operator_id FROM challenge_standings WHERE challenge = ?`),
    /** A page of the places of a challenge. */
    challenge(seq: number, page: number): CopiedTable[] {
      const first = page << PLACES_BITS;
      return challenge.map((read) => read({ seq, first, last: first + (1 << PLACES_BITS) - 1 }));
    },
  };
}

type Reader = ReturnType<typeof tableReaderIn>;

/** Reads some rows of a table, with the columns that are copied. */
function tableReaderIn(db: Database) {
  const sql = statementsIn(db);
  return (table: string, copied: Copied, rows: string) => {
    const columns = Object.keys(copied);
    const read = sql.tuples<(of: object) => CopiedValue[][]>(`
      SELECT ${Object.values(copied).join(', ')} FROM main.${table} WHERE ${rows}`);
    return (of: object): CopiedTable => {
      const found = read(of);
      return {
        table,
        columns,
        values: columns.map((_, at) => found.map((row) => row[at] ?? null)),
      };
    };
  };
}

/** The settings that admins can choose, which pages show. */
const SHOWN_SETTINGS = `name IN ('name', 'description', 'read', 'join')`;

function boardRowsIn(db: Database, table: Reader) {
  const sql = statementsIn(db);
  const rows: Record<keyof typeof BOARD, string> = {
    announcements: 'TRUE ORDER BY id',
    board_keys: 'TRUE ORDER BY log_index',
    board_settings: `${SHOWN_SETTINGS} ORDER BY name`,
    calibration: 'TRUE ORDER BY as_of',
    challenge_series: 'TRUE ORDER BY id',
    challenges: 'TRUE ORDER BY seq',
    daily_publications: 'day IN (SELECT value FROM json_each(@days)) ORDER BY day',
    former_codenames: `operator_id IN (SELECT id FROM operators WHERE ${OPEN}) ORDER BY codename`,
  };
  const board = Object.entries(BOARD).map(([name, columns]) =>
    table(name, columns, rows[name as keyof typeof BOARD]),
  );
  const entriesOf = sql.values<(of: object) => number[]>(`
    SELECT log_index FROM packed_entries
    WHERE log_index > @after AND log_index <= @last AND kind IN (SELECT value FROM json_each(@kinds))
    UNION ALL SELECT log_index FROM main.log_entries
    WHERE log_index > @after AND log_index <= @last AND kind IN (SELECT value FROM json_each(@kinds))
    ORDER BY log_index`);
  const receivedAt = sql.value<(log_index: number) => string | undefined>(`
    SELECT received_at FROM log_entries WHERE log_index = ?`);

  return {
    /** @param days The days whose boards are copied. */
    board: (days: readonly string[]): CopiedTable[] =>
      board.map((read) => read({ days: JSON.stringify(days) })),
    receivedAt,
    /** The log indexes of entries of some kinds, after one entry and up to another, oldest first. */
    entriesOf: (kinds: readonly string[], after: number, last: number) =>
      entriesOf({ kinds: JSON.stringify(kinds), after, last }),
    totalPlaces: sql.tuples<() => [seq: number, total: number][]>(`
      SELECT seq, coalesce((SELECT max(place) FROM challenge_places p WHERE p.challenge = c.seq), 0)
      FROM challenges c WHERE frozen_at IS NOT NULL ORDER BY seq`),
    /** The submissions of records, and whether their operators have pages. */
    ofRecords: sql.all<() => { id: string; is_open: 0 | 1 }[]>(`
      SELECT id, (SELECT ${OPEN} FROM operators o WHERE o.id = s.operator_id) AS is_open
      FROM submissions s WHERE log_index IN (SELECT log_index FROM signal_records) ORDER BY log_index`),
    /** Signed submissions of operators with public names that do not count, from the days of final standings. */
    decided: sql.all<() => DecidedRow[]>(`
      SELECT log_index, operator_id, first_day, last_day, tools FROM submissions s
      WHERE ${DECIDED} AND state IN ('held', 'rejected', 'withdrawn') AND keyid IS NOT NULL
        AND operator_id IN (SELECT id FROM operators WHERE ${NAMED})
        AND EXISTS (SELECT 1 FROM challenges c WHERE c.frozen_at IS NOT NULL
          AND s.log_index <= c.frozen_log_index
          AND s.first_day <= c.last_day AND s.last_day >= c.first_day)
      ORDER BY log_index`),
  };
}

function dayRowsIn(db: Database, table: Reader) {
  const sql = statementsIn(db);
  const chunks = 'chunk BETWEEN @first AND @last';
  const operators = `operator_id BETWEEN @first * ${CHUNK_OPERATORS} AND @last * ${CHUNK_OPERATORS} + ${CHUNK_OPERATORS - 1}`;
  const days = `day BETWEEN @from AND @to AND day IN (SELECT day FROM daily_publications)`;
  const first = `tool = '' AND trust = 'signed'`;
  const reader = (extra: string) => [
    table(
      'day_places',
      PLACES.day_places,
      `${days} AND ${chunks} AND ${extra} ORDER BY day, tool, trust, chunk`,
    ),
    table(
      'daily_standings',
      PLACES.daily_standings,
      `${days} AND ${operators} AND ${extra} ORDER BY day, tool, trust, operator_id`,
    ),
  ];
  const all = reader('TRUE');
  const ofFirst = reader(first);
  const values = table(
    'day_values',
    VALUES.day_values,
    `day = @day AND chunk = @chunk AND day IN (SELECT day FROM daily_publications WHERE thinned = 0)
     ORDER BY tool, trust`,
  );
  const marks = sql.all<(of: object) => ChunkMark[]>(`
    SELECT chunk, sum(members) AS members, coalesce(sum(members) FILTER (WHERE ${first}), 0) AS ranked,
      max(has_values) AS has_values
    FROM (
      SELECT tool, trust, chunk, length(members) AS members, EXISTS (
        SELECT 1 FROM day_values v WHERE v.day = p.day AND v.chunk = p.chunk) AS has_values
      FROM day_places p WHERE day = @day
      UNION ALL SELECT tool, trust, operator_id / ${CHUNK_OPERATORS}, 1, 0
      FROM daily_standings WHERE day = @day
    ) GROUP BY chunk ORDER BY chunk`);

  return {
    /** The stored days, and whether their values are stored. */
    days: sql.all<() => { day: string; thinned: 0 | 1; log_index: number }[]>(`
      SELECT day, thinned, log_index FROM daily_publications ORDER BY day`),
    /** The chunks of a day. */
    marks: (day: string) => marks({ day }),
    /** The places of a group of chunks on a day. */
    places(day: string, group: number): CopiedTable[] {
      const chunks = { first: group << GROUP_BITS, last: ((group + 1) << GROUP_BITS) - 1 };
      return all.map((read) => read({ from: day, to: day, ...chunks }));
    },
    /** The places of a chunk on the board of all tools, signed, on the days of a month. */
    ranks: (month: string, chunk: number): CopiedTable[] =>
      ofFirst.map((read) =>
        read({ from: `${month}-01`, to: `${month}-31`, first: chunk, last: chunk }),
      ),
    values: (day: string, chunk: number): CopiedTable[] => [values({ day, chunk })],
  };
}
