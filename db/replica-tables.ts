/**
 * What readers on other machines may get of each table, as SQL expressions. Columns that are not listed are not copied.
 * A test requires a decision for every column of every table.
 */

/** The columns of a table that are copied, each with the expression of its value. */
export type Copied = Readonly<Record<string, string>>;

const same = (...names: string[]): Copied => Object.fromEntries(names.map((name) => [name, name]));

/** Texts of a profile are public only in one privacy mode. */
const PROFILE = `is_open = 1 AND privacy_mode = 'identified' AND hidden_at IS NULL`;
const ofProfile = (name: string, otherwise = 'NULL') =>
  `CASE WHEN ${PROFILE} THEN ${name} ELSE ${otherwise} END`;
/** What is public of operators with a page, but not of anonymous ones. */
const ofPage = (name: string, otherwise: string) =>
  `CASE is_open WHEN 1 THEN ${name} ELSE ${otherwise} END`;

/** Operators with a public name. Anonymous ones have no codename, only an alias. */
export const NAMES = {
  operators: {
    ...same('id', 'privacy_mode', 'public_name', 'is_open'),
    public_id: ofPage('public_id', 'CAST(id AS TEXT)'),
    codename: ofPage('codename', `'@' || id`),
    created_at: `''`,
    log_index: ofPage('log_index', '1'),
    display_name: ofProfile('display_name'),
    bio: ofProfile('bio'),
    location: ofProfile('location'),
    links: ofProfile('links', `'[]'`),
    cohort_id: ofProfile('cohort_id'),
    changes_known_from: ofPage('changes_known_from', '0'),
  },
} satisfies Record<string, Copied>;

const COUNTS = same(
  'operator_id',
  'day',
  'device_id',
  'input',
  'output',
  'cache_write',
  'cache_read',
  'log_index',
  'counts',
);

const SUBMITTED = ['log_index', 'id', 'operator_id', 'device_id', 'records', 'days'];

/** What pages and the API show of one operator with a page. Labels, payloads, salts and receipts stay with the board. */
export const OPERATOR = {
  sources: same('operator_id', 'source', 'tool', 'provider', 'model'),
  daily_counts: { ...COUNTS, source: 'source' },
  unmoved_buckets: { ...COUNTS, ...same('tool', 'provider', 'model') },
  changed_days: same('operator_id', 'day', 'in_time', 'is_lowered'),
  devices: {
    ...same('id', 'operator_id', 'trust'),
    public_id: 'CAST(id AS TEXT)',
    label: `''`,
    created_at: `''`,
  },
  device_keys: same(
    'keyid',
    'device_id',
    'public_key',
    'enrolled_at',
    'revoked_at',
    'revoked_reason',
  ),
  packed_entries: {
    ...same('log_index', 'received_at', 'entry_hash', 'operator_id'),
    payload_digest: 'zeroblob(32)',
    form: '0',
  },
  packed_submissions: {
    ...same(...SUBMITTED, 'mark', 'words', 'first_day', 'last_day', 'decided'),
    ...same('covers_from', 'covers_to'),
    submission_id: 'CAST(log_index AS TEXT)',
    answer: `''`,
  },
  words: same('id', 'operator_id', 'text'),
  log_entries: {
    ...same('log_index', 'kind', 'received_at', 'entry_hash', 'operator_id'),
    previous: `''`,
    payload_digest: `''`,
  },
  submissions: {
    ...same(...SUBMITTED, 'keyid', 'collector_name', 'collector_version'),
    ...same('first_day', 'last_day', 'tools', 'state'),
    submission_id: 'CAST(log_index AS TEXT)',
    payload_hash: `''`,
    answer: `''`,
  },
} satisfies Record<string, Copied>;

/** What concerns the whole board. */
export const BOARD = {
  announcements: same('id', 'text', 'link', 'set_at', 'ends_at'),
  board_keys: {
    ...same('keyid', 'public_key', 'log_index', 'created_at'),
    secret_key: 'zeroblob(32)',
  },
  board_settings: same('name', 'value', 'set_at'),
  calibration: same('as_of', 'log_index', 'result'),
  challenge_series: same('id', 'slug', 'rule', 'first_day', 'last_day', 'stopped_at'),
  challenges: same(
    'seq',
    'id',
    'title',
    'description',
    'metric',
    'tool',
    'first_day',
    'last_day',
    'eligibility',
    'ruleset',
    'created_at',
    'cancelled_at',
    'cancelled_reason',
    'frozen_at',
    'frozen_log_index',
    'left_out',
    'unranked',
    'series',
  ),
  daily_publications: same(
    'day',
    'log_index',
    'ruleset',
    'generated_at',
    'tools',
    'self_reported',
    'thinned',
  ),
  former_codenames: same('codename', 'operator_id', 'until'),
} satisfies Record<string, Copied>;

/** Pictures, whose bytes are files of their own. */
export const PICTURES = {
  avatars: { ...same('operator_id', 'hash'), body: 'zeroblob(0)', updated_at: `''` },
} satisfies Record<string, Copied>;

/** Final standings. The rows of operators who are not public stay with the board. */
export const CHALLENGE = {
  challenge_places: same('challenge', 'place', 'rank', 'best', 'worst'),
  challenge_standings: same(
    'challenge',
    'place',
    'operator_id',
    'value',
    'low',
    'high',
    'total',
    'active_days',
  ),
} satisfies Record<string, Copied>;

/** Ranks of complete days, by the internal numbers of operators. Names come from other tables. */
export const PLACES = {
  day_places: same('day', 'tool', 'trust', 'chunk', 'members', 'body'),
  daily_standings: same('day', 'tool', 'trust', 'operator_id', 'body'),
} satisfies Record<string, Copied>;

export const VALUES = {
  day_values: same('day', 'tool', 'trust', 'chunk', 'body'),
} satisfies Record<string, Copied>;

/** All tables that are copied. */
export const COPIED: Readonly<Record<string, Copied>> = {
  ...NAMES,
  ...OPERATOR,
  ...BOARD,
  ...PICTURES,
  ...CHALLENGE,
  ...PLACES,
  ...VALUES,
};

/** The rows of a table, column by column. */
export interface CopiedTable {
  table: string;
  columns: string[];
  /** Values of each column: numbers, texts, nulls, or bytes. */
  values: CopiedValue[][];
}

export type CopiedValue = Uint8Array | number | string | null;
