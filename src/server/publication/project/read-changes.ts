import { ENDED, type ProjectedRow } from '#db/operator-changes.ts';
import type { Store } from '#db/store.ts';
import { resizedColumn, NumberHeap, sharedColumn, TextHeap, textAt } from '../state/blocks.ts';
import type { BoardState, OperatorSlots } from '../state/board-state.ts';
import { advance } from './advance.ts';
import { type HelperOptions, startHelpers, takeShare } from './helpers.ts';
import { factsOf, projectedFrom, shownText } from './operator-columns.ts';
import { slotsOf } from './operator-slots.ts';
import type { ProjectedOperator, Term } from './project-operator.ts';
import { Registry } from './registry.ts';
import type { Share } from './share.ts';
import { type IdRange, operatorsIn, rowsIn, SheetMaker } from './sheet-maker.ts';

/** What a projection found on a day, and what it needs to go on from there. */
export interface Projected {
  as_of: string;
  /** The log entries and the other changes that it covers. */
  log_index: number;
  change: number;
  term: Term;
  state: BoardState;
  /** Where the next number and the next text go. */
  nextNumber: number;
  nextText: number;
}

interface Asked {
  as_of: string;
  term: Term;
  /** What was found earlier on this day; null to read everything. */
  last: Projected | null;
  /** What was found last, perhaps on another day. */
  earlier: Projected | null;
  /** The slots of its operators by ID, if they are known. */
  slots: Map<number, number> | null;
  /** Threads that help if everything is read. */
  helpers: HelperOptions | null;
}

export interface Changes {
  projected: Projected;
  /** The slots that differ. */
  changed: Uint32Array;
  /** The slots of all operators by ID. */
  slots: Map<number, number>;
}

/** Reads what changed in the store, and computes the next state. */
export function readChanges(store: Store, asked: Asked): Changes {
  const reading = new Reading(store, asked);
  const { last } = asked;
  if (!last) return reading.readAll().finish();
  const { since, byId } = store.operatorChanges;
  for (const id of since(last.log_index, last.change)) {
    if (id === ENDED) reading.removeEnded(new Set(store.operators.logged()));
    else reading.read(id, byId(id));
  }
  return reading.finish();
}

type Columns = Omit<OperatorSlots, 'byName'>;

/** Reads one operator after another into copies of the columns. */
class Reading {
  readonly #store: Store;
  readonly #asked: Asked;
  readonly #numbers: NumberHeap;
  readonly #texts: TextHeap;
  readonly #registry: Registry;
  readonly #maker: SheetMaker;
  readonly #slots: Map<number, number>;
  readonly #changed: number[] = [];
  #columns: Columns;
  #length: number;

  constructor(store: Store, asked: Asked) {
    const { last, earlier, term } = asked;
    const base = last ?? NOTHING;
    this.#store = store;
    this.#asked = asked;
    this.#numbers = new NumberHeap(base.state.numbers, base.nextNumber);
    this.#texts = new TextHeap(base.state.texts, base.nextText);
    this.#registry = new Registry(earlier?.state.toolNames, earlier?.state.sources);
    const known = asked.slots ?? slotsOf(earlier?.state.operators ?? NO_COLUMNS);
    this.#slots = last ? known : new Map();
    const tools = { heap: this.#numbers, registry: this.#registry, term };
    const isOtherDay = earlier !== null && last === null;
    const before = isOtherDay ? { projected: earlier, slots: known } : null;
    this.#maker = new SheetMaker(store, tools, before);
    this.#length = base.state.operators.ids.length;
    this.#columns = copyOf(base.state.operators, this.#length);
  }

  /** Reads all operators, with the help of other threads if they are many. */
  readAll(): this {
    const store = this.#store;
    const { earlier, helpers: options, term } = this.#asked;
    const lastId = store.operatorChanges.lastId();
    const size = { operators: store.operators.loggedTotal(), lastId };
    const seen = { log_index: store.log.head()?.index ?? 0, change: store.operatorChanges.last() };
    const helpers = options ? startHelpers(options, size, { ...seen, earlier, term }) : [];
    this.#readRange({ first: 1, last: (helpers[0]?.first ?? lastId + 1) - 1 });
    for (const helper of helpers) this.#readShare(helper, helper.wait());
    return this;
  }

  #readRange(range: IdRange): void {
    for (const { row, usage } of operatorsIn(this.#store, range)) {
      this.read(row.id, row, this.#maker.make(row, usage));
    }
  }

  #readShare(range: IdRange, share: Share | null): void {
    if (!share) {
      this.#asked.helpers?.onFailure();
      return this.#readRange(range);
    }
    const [heap, registry] = [this.#numbers, this.#registry];
    const challenges = this.#asked.term.challenges.length;
    const known = takeShare(share, { heap, registry, challenges });
    for (const row of rowsIn(this.#store, range)) this.read(row.id, row, known.get(row.id));
  }

  /**
   * @param row What the store knows of an operator; undefined if the account is gone.
   * @param projected The operator's sheet, if it was computed already.
   */
  read(id: number, row: ProjectedRow | undefined, projected?: ProjectedOperator): void {
    let slot = this.#slots.get(id);
    if (slot === undefined) {
      if (!row) return;
      slot = this.#add(id);
    }
    const { names, sheets, facts } = this.#columns;
    const before = [names[slot], sheets[slot], facts[slot]];
    if (row) this.#write(slot, row, projected);
    else this.#remove(slot);
    const after = [names[slot], sheets[slot], facts[slot]];
    if (after.some((value, at) => value !== before[at])) this.#changed.push(slot);
  }

  /** Removes accounts that are not in the log any more. */
  removeEnded(logged: ReadonlySet<number>): void {
    for (const id of [...this.#slots.keys()]) {
      if (!logged.has(id)) this.read(id, undefined);
    }
  }

  finish(): Changes {
    const { as_of, term, last } = this.#asked;
    const store = this.#store;
    const changed = Uint32Array.from(this.#changed);
    const shared = {
      rules: term.ruleset,
      moderation: store.moderation.counts(),
      numbers: this.#numbers.blocks,
      texts: this.#texts.blocks,
      toolNames: this.#registry.tools,
      sources: this.#registry.sources,
    };
    const operators = copyOf(this.#columns, this.#length);
    const draft = { ...shared, operators, changed };
    const contests = { records: [], challenges: last?.state.challenges ?? [], version: 0 };
    const state = { ...shared, ...contests, ...advance(last?.state ?? null, draft) };
    const log_index = store.log.head()?.index ?? 0;
    const next = { nextNumber: this.#numbers.next, nextText: this.#texts.next };
    return {
      projected: { as_of, log_index, change: store.operatorChanges.last(), term, state, ...next },
      changed,
      slots: this.#slots,
    };
  }

  #add(id: number): number {
    const slot = this.#length;
    this.#length += 1;
    if (this.#length > this.#columns.ids.length) {
      this.#columns = copyOf(this.#columns, Math.max(64, 2 * slot));
    }
    this.#columns.ids[slot] = id;
    this.#slots.set(id, slot);
    return slot;
  }

  #write(slot: number, row: ProjectedRow, known?: ProjectedOperator): void {
    const { names, sheets, facts } = this.#columns;
    const { last } = this.#asked;
    const hasSameCounts = last !== null && row.log_index <= last.log_index;
    const projected = hasSameCounts
      ? projectedFrom(sheets[slot] as number, facts[slot] as number)
      : (known ?? this.#maker.make(row, this.#store.usage.of(row.id)));
    sheets[slot] = projected.sheet;
    names[slot] = this.#namesOf(slot, row);
    facts[slot] = factsOf(row, projected, names[slot] !== 0);
  }

  #remove(slot: number): void {
    this.#slots.delete(this.#columns.ids[slot] as number);
    for (const column of Object.values(this.#columns)) column[slot] = 0;
  }

  /** The position of an operator's names: the same as before if they are the same, and 0 if nobody may see them. */
  #namesOf(slot: number, row: ProjectedRow): number {
    const text = shownText(slot, row);
    if (text === null) return 0;
    const before = this.#columns.names[slot] as number;
    const isSame = before !== 0 && textAt(this.#texts.blocks, before) === text;
    return isSame ? before : this.#texts.write(text);
  }
}

const NO_COLUMN = sharedColumn(0);
const NO_COLUMNS: Columns = {
  ids: NO_COLUMN,
  names: NO_COLUMN,
  sheets: NO_COLUMN,
  facts: NO_COLUMN,
};

/** What is known before the first operator of a day is read. */
const NOTHING = {
  nextNumber: undefined,
  nextText: undefined,
  state: { numbers: [], texts: [], operators: NO_COLUMNS },
};

function copyOf({ ids, names, sheets, facts }: Columns, length: number): Columns {
  return {
    ids: resizedColumn(ids, length),
    names: resizedColumn(names, length),
    sheets: resizedColumn(sheets, length),
    facts: resizedColumn(facts, length),
  };
}
