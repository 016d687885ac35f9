/** What concerns the whole board and is not in tables: results of queries that read more than readers have. */
import type { LogEntryRow } from '#db/log.ts';
import type { DecidedRow } from '#db/replica-out.ts';
import type { Store } from '#db/store.ts';
import { PAGE_LIMIT } from '#core/contract/limits.ts';
import type { LogKind } from '#core/schema/log.ts';

type SubmissionRow = ReturnType<Store['submissions']['page']>[number];

type BoardEntry = Omit<LogEntryRow, 'payload' | 'salt'>;

export interface BoardFacts {
  head: ReturnType<Store['log']['head']> | null;
  /** When the entries at which publications end were received. */
  received: [log_index: number, received_at: string][];
  /** The board's own entries of some kinds, with payloads as text. */
  entries: (BoardEntry & { payload: string })[];
  /** All and the newest submissions: of any kind, and signed ones. */
  submissions: Record<'all' | 'signed', { total: number; newest: SubmissionRow[] }>;
  /** The submissions of records; null if the operator has no page. */
  records: [id: string, submission: SubmissionRow | null][];
  decided: DecidedRow[];
  /** How many places the final standings of a challenge have. */
  places: [seq: number, total: number][];
  settings: unknown;
}

/** The kinds of entries that pages read. They belong to the board. */
export const COPIED_KINDS: readonly LogKind[] = ['ruleset', 'log-key'];

/** How many of the newest submissions are copied: the longest page, and one more. */
export const NEWEST = PAGE_LIMIT.max + 1;

/** The board's entries that were found, and up to which entry. Finding them reads the whole log once. */
const found = new WeakMap<Store, { upTo: number; rows: BoardFacts['entries'] }>();
/** How many entries are looked at in a step. */
const LOOKED_AT = 20_000;

/** The entries of copied kinds. */
export function* entriesIn(store: Store): Generator<undefined, BoardFacts['entries']> {
  const known = found.get(store) ?? { upTo: 0, rows: [] };
  const end = store.log.head()?.index ?? 0;
  const rows = [...known.rows];
  for (let after = known.upTo; after < end; after += LOOKED_AT) {
    if (after > known.upTo) yield;
    const last = Math.min(end, after + LOOKED_AT);
    const indexes = store.replicaOut.entriesOf(COPIED_KINDS, after, last);
    rows.push(...indexes.flatMap((log_index) => entryAt(store, log_index)));
  }
  found.set(store, { upTo: end, rows });
  return rows;
}

function entryAt(store: Store, log_index: number): BoardFacts['entries'] {
  const entry = store.log.at(log_index);
  if (!entry?.payload || entry.operator_id !== null) return [];
  const { payload, kind, previous, received_at, payload_digest, entry_hash } = entry;
  const head = { log_index, kind, previous, received_at, payload_digest, entry_hash };
  return [{ ...head, operator_id: null, payload: Buffer.from(payload).toString() }];
}

function submissionsIn({ submissions }: Store, signed: boolean) {
  const filter = { operator_id: null, signed };
  return {
    total: submissions.total(filter),
    newest: submissions.page(filter, Number.MAX_SAFE_INTEGER, NEWEST),
  };
}

/** Facts that change often. They are found at once. */
export function boardFactsIn(store: Store): Omit<BoardFacts, 'entries' | 'settings'> {
  const { replicaOut } = store;
  const ends = new Set(store.publications.kept().map(({ log_index }) => log_index));
  const received = [...ends].flatMap((log_index): BoardFacts['received'] => {
    const received_at = replicaOut.receivedAt(log_index);
    return received_at === undefined ? [] : [[log_index, received_at]];
  });
  return {
    head: store.log.head() ?? null,
    received,
    submissions: { all: submissionsIn(store, false), signed: submissionsIn(store, true) },
    records: replicaOut.ofRecords().map(({ id, is_open }) => {
      return [id, is_open === 1 ? (store.submissions.byId(id) ?? null) : null];
    }),
    decided: replicaOut.decided(),
    places: replicaOut.totalPlaces(),
  };
}
