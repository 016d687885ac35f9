/** A store whose methods first ask for the units that they read. Methods that need more than facts have refuse. */
import type { Replica } from '#db/replica-in.ts';
import { GROUP_BITS, PLACES_BITS } from '#db/replica-out.ts';
import type { Store } from '#db/store.ts';
import { chunkOf } from '#core/domain/board/day-chunk.ts';
import { DEFAULT_SLICE } from '#core/domain/board/slices.ts';
import type { BoardSlice } from '#core/domain/board/board.ts';
import { type BoardFacts, COPIED_KINDS } from './board-facts.ts';

/** What the store asks of the working copy. */
export interface Access {
  /** What concerns the whole board. */
  board(): BoardFacts;
  /** The names of units that the index has of a kind, such as `days/2026-03-01`. */
  unitsOf(kind: string): readonly string[];
  /** Throws unless all units are loaded that the index names. */
  need(...units: string[]): void;
  /** Units that will probably be needed, to be loaded together with the next missing one. */
  expect(...units: string[]): void;
  /** The bytes of a file. Throws unless it is loaded. */
  file(sha256: string): Uint8Array;
  /** Throws, because only the board's database has the answer. */
  refuse(): never;
}

type Of<Part extends keyof Store> = Partial<Store[Part]>;

/** The operator of a question. */
type OfOperator = { operator_id: number };

/** The databases of the rows, and of ranks. */
interface Copies {
  readonly replica: Replica;
  readonly ranks: Replica;
}

export function storeOver(copies: Copies, access: Access): Store {
  const { replica } = copies;
  const { parts, snapshot } = replica;
  const store = {
    ...boardParts(replica, access),
    operators: operatorsIn(replica, access),
    shownRows: shownRowsIn(replica, access),
    avatars: avatarsIn(replica, access),
    records: recordsIn(replica, access),
    submissions: submissionsIn(replica, access),
    keptDays: keptDaysIn(copies, access),
    challenges: challengesIn(replica, access),
    log: logIn(access),
  };
  const complete = Object.keys(parts).map((name) => {
    const part = Object.hasOwn(store, name) ? store[name as keyof typeof store] : {};
    return [name, guarded(part, access)];
  });
  return guarded({ snapshot, ...Object.fromEntries(complete) }, access) as Store;
}

/** Methods, or parts with methods, that first see whether there are facts. All others refuse. */
function guarded(members: object, access: Access): object {
  const known = Object.entries(members).map(([name, member]: [string, unknown]) => {
    if (typeof member !== 'function') return [name, member];
    const method = (...args: unknown[]): unknown => {
      access.board();
      return Reflect.apply(member, undefined, args);
    };
    return [name, method];
  });
  return new Proxy(Object.fromEntries(known) as object, {
    get: (all, name) => {
      const isMethod = typeof name === 'string' && !NO_METHODS.includes(name);
      return Reflect.get(all, name) ?? (isMethod ? () => access.refuse() : undefined);
    },
  });
}

/** What the language itself looks for in values. */
const NO_METHODS = ['then', 'toJSON'];

function ofOperator(id: number): string {
  return `operators/${id}`;
}

/** A method that reads one operator, whose number is its first argument or a member of it. */
function needing<Args extends [OfOperator | number, ...unknown[]], Result>(
  { need }: Access,
  read: (...args: Args) => Result,
): (...args: Args) => Result {
  return (...args) => {
    const [of] = args;
    need(ofOperator(typeof of === 'number' ? of : of.operator_id));
    return read(...args);
  };
}

/** Parts whose rows are always loaded, and small ones about operators. */
function boardParts({ parts }: Replica, access: Access) {
  const { changedDays, devices, usage } = parts;
  return {
    announcements: { current: parts.announcements.current } satisfies Of<'announcements'>,
    boardKeys: { all: parts.boardKeys.all } satisfies Of<'boardKeys'>,
    boardSettings: { all: parts.boardSettings.all } satisfies Of<'boardSettings'>,
    calibration: { current: parts.calibration.current } satisfies Of<'calibration'>,
    codenames: { former: parts.codenames.former } satisfies Of<'codenames'>,
    changedDays: {
      covered: needing(access, changedDays.covered),
      ofOperator: needing(access, changedDays.ofOperator),
    } satisfies Of<'changedDays'>,
    devices: {
      keysOfOperator: needing(access, devices.keysOfOperator),
      keyCounts: needing(access, devices.keyCounts),
    } satisfies Of<'devices'>,
    usage: { signed: needing(access, usage.signed) } satisfies Of<'usage'>,
  };
}

function operatorsIn({ parts, openBetween }: Replica, { expect }: Access) {
  const { operators } = parts;
  type Found = ReturnType<typeof operators.byId>;
  const expected = (found: Found) => {
    if (found?.is_open === 1) expect(ofOperator(found.id));
    return found;
  };
  return {
    byId: (id) => expected(operators.byId(id)),
    byCodename: (codename) => expected(operators.byCodename(codename)),
    byPublicName: (name) => expected(operators.byPublicName(name)),
    openBetween,
  } satisfies Of<'operators'>;
}

function shownRowsIn({ parts: { shownRows } }: Replica, { expect }: Access) {
  return {
    open(names) {
      const found = shownRows.open(names);
      expect(...found.map(({ id }) => ofOperator(id)));
      return found;
    },
    pictures: shownRows.pictures,
  } satisfies Of<'shownRows'>;
}

function avatarsIn({ parts: { avatars } }: Replica, { file }: Access) {
  return {
    hashOf: avatars.hashOf,
    owners: avatars.owners,
    ofOperator(id) {
      const row = avatars.ofOperator(id);
      return row && { ...row, body: file(row.hash) };
    },
  } satisfies Of<'avatars'>;
}

function recordsIn({ parts: { records } }: Replica, access: Access) {
  return {
    page: needing(access, records.page),
    total: needing(access, records.total),
    countIn: needing(access, records.countIn),
    perSubmission: needing(access, records.perSubmission),
    partEnd: needing(access, records.partEnd),
    usage: needing(access, records.usage),
    signedByTool: needing(access, records.signedByTool),
    signedUsage: needing(access, records.signedUsage),
  } satisfies Of<'records'>;
}

/** Submissions of one operator; the newest of all; and those of records. */
function submissionsIn({ parts: { submissions } }: Replica, access: Access) {
  const newest = (signed: boolean) => access.board().submissions[signed ? 'signed' : 'all'];
  return {
    page(filter, before, limit) {
      if (filter.operator_id !== null) {
        access.need(ofOperator(filter.operator_id));
        return submissions.page(filter, before, limit);
      }
      const { newest: rows, total } = newest(filter.signed);
      const later = rows.filter((row) => row.log_index < before).slice(0, limit);
      if (later.length < limit && rows.length < total) return access.refuse();
      access.expect(...later.map(({ operator_id }) => ofOperator(operator_id)));
      return later;
    },
    total(filter) {
      if (filter.operator_id === null) return newest(filter.signed).total;
      access.need(ofOperator(filter.operator_id));
      return submissions.total(filter);
    },
    byId(id) {
      const known = access.board().records.find(([record]) => record === id);
      return known ? (known[1] ?? undefined) : access.refuse();
    },
  } satisfies Of<'submissions'>;
}

function keptDaysIn(copies: Copies, access: Access) {
  const { keptDays } = copies.replica.parts;
  const needDay = (day: string) => access.need(...access.unitsOf(`days/${day}`));
  const { publication, kept, total, named, namedOne } = keptDays;
  const needRanks = (id: number, { from, to, tool, trust }: Span) => {
    if (tool !== DEFAULT_SLICE.tool || trust !== DEFAULT_SLICE.trust) access.refuse();
    const [first, last] = [from.slice(0, 7), to.slice(0, 7)];
    const chunk = String(chunkOf(id));
    const units = access.unitsOf('ranks').filter((unit) => {
      const [, month = '', of] = unit.split('/');
      return of === chunk && month >= first && month <= last;
    });
    access.need(...units);
  };
  return {
    publication(day) {
      access.expect(...access.unitsOf(`days/${day}`));
      return publication(day);
    },
    kept,
    total,
    named,
    namedOne,
    places(day, slice) {
      needDay(day);
      return keptDays.places(day, slice);
    },
    chunks(day, slice) {
      needDay(day);
      return keptDays.chunks(day, slice);
    },
    chunk(day, slice, chunk, withValues = true) {
      const places = `days/${day}/${chunk >> GROUP_BITS}`;
      access.need(places, ...(withValues ? [`values/${day}/${chunk}`] : []));
      return keptDays.chunk(day, slice, chunk, withValues);
    },
    stood(day, id) {
      access.need(`days/${day}/${chunkOf(id) >> GROUP_BITS}`);
      return keptDays.stood(day, id);
    },
    ranksOf(id, span) {
      needRanks(id, span);
      return copies.ranks.parts.keptDays.ranksOf(id, span);
    },
    ranksBy(id, windows, span) {
      needRanks(id, span);
      return copies.ranks.parts.keptDays.ranksBy(id, windows, span);
    },
  } satisfies Of<'keptDays'>;
}

type Span = BoardSlice & { from: string; to: string };

function challengesIn({ parts: { challenges }, placeOf }: Replica, access: Access) {
  const { all, byId, series, newestOfSeries, runningSeries } = challenges;
  const total = (seq: number) =>
    access.board().places.find(([challenge]) => challenge === seq)?.[1] ?? 0;
  return {
    all,
    byId,
    series,
    newestOfSeries,
    runningSeries,
    total,
    places(seq, after, limit) {
      const first = (after + 1) >> PLACES_BITS;
      const last = Math.min(after + limit, total(seq)) >> PLACES_BITS;
      for (let page = first; page <= last; page += 1) access.need(`challenges/${seq}/${page}`);
      return challenges.places(seq, after, limit);
    },
    placeOf(seq, operator_id) {
      access.need(ofOperator(operator_id));
      return placeOf(seq, operator_id);
    },
    leftOut({ first_day, last_day }, until) {
      return access
        .board()
        .decided.filter((row) => row.log_index <= until)
        .filter((row) => row.first_day <= last_day && row.last_day >= first_day);
    },
  } satisfies Of<'challenges'>;
}

type Row = NonNullable<ReturnType<Store['log']['at']>>;

/** The head of the log, the ends of publications, and the board's own entries. */
function logIn(access: Access) {
  const entries = (kind: string) => {
    if (!COPIED_KINDS.some((copied) => copied === kind)) return access.refuse();
    return access.board().entries.filter((row) => row.kind === kind);
  };
  const rowOf = ({ payload, ...row }: BoardFacts['entries'][number]): Row => {
    // Readers of these entries do not use the salt.
    return { ...row, salt: null, payload: Buffer.from(payload) };
  };
  return {
    head: () => access.board().head ?? undefined,
    ofKind: (kind, after) =>
      entries(kind)
        .filter((row) => row.log_index > after)
        .map(rowOf),
    lastOfKind(kind) {
      const last = entries(kind).at(-1);
      return last && rowOf(last);
    },
    at(log_index) {
      const received = access.board().received.find(([at]) => at === log_index);
      return received ? endOf(received) : access.refuse();
    },
  } satisfies Of<'log'>;
}

/** An entry of which only the time is known. */
function endOf([log_index, received_at]: BoardFacts['received'][number]): Row {
  const unknown = { previous: '', payload_digest: '', entry_hash: '', operator_id: null };
  return { log_index, received_at, kind: 'snapshot', ...unknown, salt: null, payload: null };
}
