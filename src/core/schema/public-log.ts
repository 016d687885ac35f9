/** The public log as a file with one JSON object per line, `opbench-log/1`. */
import * as z from 'zod';
import { TrustFilter } from './board.ts';
import { Codename, Day, Digest, KeyId, Label, PublicKey, Timestamp } from './scalars.ts';
import { Envelope } from './snapshot.ts';

export const PUBLIC_LOG_TYPE = 'opbench-log/1';
/** The media type of the statement that the board signs at the end of the file. */
export const PUBLIC_LOG_PAYLOAD_TYPE = 'application/vnd.opbench.public-log.v1+json';
export const PUBLIC_LOG_PATH = '/log.ndjson.gz';
/** The same without entries. With the bundles and payloads of the tree, it gives the whole file. */
export const PUBLIC_BOARDS_PATH = '/log/boards.ndjson.gz';

const LogIndex = z.int().min(1);
const MaybeNumber = z.number().nullable();
/** The first half of the line's SHA-256, to locate damage. */
const check = z.string().regex(/^[0-9a-f]{16}$/);

export const HeaderLine = z.strictObject({
  line: z.literal('header'),
  type: z.literal(PUBLIC_LOG_TYPE),
  base_url: z.string().min(1).max(500),
  /** The index of the last entry in the file. */
  log_index: LogIndex,
  entry_hash: Digest,
  /** The day of the current board; null before the first one. */
  as_of: Day.nullable(),
  check,
});
export type HeaderLine = z.infer<typeof HeaderLine>;

export const BoardKeyLine = z.strictObject({
  line: z.literal('board_key'),
  keyid: KeyId,
  public_key: PublicKey,
  log_index: LogIndex,
  valid_from: Timestamp,
  check,
});
export type BoardKeyLine = z.infer<typeof BoardKeyLine>;

export const EntryLine = z.strictObject({
  line: z.literal('entry'),
  log_index: LogIndex,
  /** Later versions may add kinds. */
  kind: z.string().regex(/^[a-z][a-z-]{0,39}$/),
  previous: Digest,
  received_at: Timestamp,
  payload_digest: Digest,
  entry_hash: Digest,
  /** Null, like payload and receipt, if the entry was erased, lost or is withheld. */
  salt: Digest.nullable(),
  /** The exact text that the digest covers. */
  payload: z.string().nullable(),
  /** For a submission: the board's receipt. */
  receipt: Envelope.nullable(),
  check,
});
export type EntryLine = z.infer<typeof EntryLine>;

/** What a leaf of the tree does not contain: a line of the payloads of a bundle. */
export const PayloadLine = z.strictObject({
  log_index: LogIndex,
  salt: Digest,
  payload: z.string(),
  receipt: Envelope.nullable(),
});
export type PayloadLine = z.infer<typeof PayloadLine>;

export const BoardLine = z.strictObject({
  line: z.literal('board'),
  /** `current`: the newest board. `daily`: the last board of an earlier day. */
  kept: z.enum(['current', 'daily']),
  as_of: Day,
  log_index: LogIndex,
  ruleset: z.string().min(1).max(100),
  /** The tools that have their own board, most operators first. */
  tools: z.array(Label).max(1000),
  /** Whether there are self-reported counts. If not, there are no boards with `trust=all`. */
  self_reported: z.boolean(),
  rows: z.int().min(0),
  check,
});
export type BoardLine = z.infer<typeof BoardLine>;

/** Rank, value, and lower and upper bound of the interval; null if there is none. */
const Place = z.tuple([z.int().min(1).nullable(), MaybeNumber, MaybeNumber, MaybeNumber]);
export type StatedPlace = z.infer<typeof Place>;

const Places = z.strictObject({
  yield: Place,
  leverage: Place,
  velocity: Place,
  snr: Place,
  dev10x: Place,
});

/** The ranks of one operator on one board. Windows without tokens are absent. */
export const StandingLine = z.strictObject({
  line: z.literal('standing'),
  trust: TrustFilter,
  tool: Label.nullable(),
  name: Codename,
  /** The account in the log; null if its entries are not in the file. */
  operator: z.uuid().nullable(),
  windows: z.strictObject({
    '7d': Places.optional(),
    '30d': Places.optional(),
    '90d': Places.optional(),
    all_time: Places,
  }),
  check,
});
export type StandingLine = z.infer<typeof StandingLine>;

export const EndLine = z.strictObject({ line: z.literal('end'), signature: Envelope, check });
export type EndLine = z.infer<typeof EndLine>;

export const LINES = {
  header: HeaderLine,
  board_key: BoardKeyLine,
  entry: EntryLine,
  board: BoardLine,
  standing: StandingLine,
  end: EndLine,
} as const;
export type LineName = keyof typeof LINES;
export type PublicLogLine =
  BoardKeyLine | BoardLine | EndLine | EntryLine | HeaderLine | StandingLine;

const Section = z.strictObject({ lines: z.int().min(0), sha256: Digest });

/** The statement that the board signs at the end: number and digest of the lines of each kind. */
export const PublicLogEnd = z.strictObject({
  type: z.literal(PUBLIC_LOG_TYPE),
  log_index: LogIndex,
  entry_hash: Digest,
  sections: z.strictObject({
    header: Section,
    board_key: Section,
    entry: Section,
    board: Section,
    standing: Section,
  }),
});
export type PublicLogEnd = z.infer<typeof PublicLogEnd>;
export type SectionName = keyof PublicLogEnd['sections'];
