/** What concerns the whole board and is not in tables: results of queries that read more than readers have. */
import type { LogEntryRow } from '#db/log.ts';
import type { DecidedRow } from '#db/replica-out.ts';
import type { Store } from '#db/store.ts';
import { PAGE_LIMIT } from '#core/contract/limits.ts';
import type { LogKind } from '#core/schema/log.ts';

type SubmissionRow = ReturnType<Store['submissions']['page']>[number];

export interface BoardFacts {
  head: ReturnType<Store['log']['head']> | null;
  /** When the entries at which publications end were received. */
  received: [log_index: number, received_at: string][];
  /** The board's own entries of some kinds, with payloads as text. */
  entries: (Omit<LogEntryRow, 'payload' | 'salt'> & { payload: string })[];
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

function entriesIn(store: Store): BoardFacts['entries'] {
  const before = found.get(store) ?? { upTo: 0, rows: [] };
  const upTo = store.log.head()?.index ?? 0;
  if (upTo === before.upTo) return before.rows;
  const added = COPIED_KINDS.flatMap((kind) => store.log.ofKind(kind, before.upTo))
    .filter((row) => row.operator_id === null && row.log_index <= upTo)
    .map(({ payload, salt: _, ...row }) => ({
      ...row,
      payload: Buffer.from(payload ?? '').toString(),
    }));
  const rows = [...before.rows, ...added];
  found.set(store, { upTo, rows });
  return rows;
}

function submissionsIn({ submissions }: Store, signed: boolean) {
  const filter = { operator_id: null, signed };
  return {
    total: submissions.total(filter),
    newest: submissions.page(filter, Number.MAX_SAFE_INTEGER, NEWEST),
  };
}

export function boardFactsIn(store: Store, settings: unknown): BoardFacts {
  const { replicaOut } = store;
  const ends = new Set(store.publications.kept().map(({ log_index }) => log_index));
  const received = [...ends].flatMap((log_index): BoardFacts['received'] => {
    const received_at = replicaOut.receivedAt(log_index);
    return received_at === undefined ? [] : [[log_index, received_at]];
  });
  return {
    head: store.log.head() ?? null,
    received,
    entries: entriesIn(store),
    submissions: { all: submissionsIn(store, false), signed: submissionsIn(store, true) },
    records: replicaOut.ofRecords().map(({ id, is_open }) => {
      return [id, is_open === 1 ? (store.submissions.byId(id) ?? null) : null];
    }),
    decided: replicaOut.decided(),
    places: replicaOut.totalPlaces(),
    settings,
  };
}
