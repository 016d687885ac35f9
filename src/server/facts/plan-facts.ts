/** Writes what pages need beside the publication as objects, of which only those that changed are made. */
import { createHash } from 'node:crypto';
import { GROUP_BITS, NAMES_BITS } from '#db/replica-out.ts';
import type { Store } from '#db/store.ts';
import { ENDED } from '#db/operator-changes.ts';
import { yieldToEventLoop } from '../process/yield-to-event-loop.ts';
import { boardFactsIn } from './board-facts.ts';
import { type FactsIndex, keysOf } from './facts-index.ts';
import {
  type FactsContent,
  type FactsObject,
  compress,
  fileKey,
  keyOf,
  packContent,
  versionOf,
} from './facts-object.ts';

export interface FactsInput {
  store: Store;
  /** The index that readers use now; null for all facts. */
  before: FactsIndex | null;
  /**
   * Compares all objects with `before`, instead of those that changed. Use it if another database made `before`, for
   * example after a restore.
   */
  recheck?: boolean;
  /** Settings of the board that readers use. A JSON value without secrets. */
  settings: unknown;
  /** The board's own files that readers serve. Settings may name them by SHA-256. */
  files: readonly Uint8Array[];
}

export interface FactsPlan {
  index: FactsIndex;
  /** Keys that `before` names and `index` does not. Delete them once readers use `index`. */
  obsolete: string[];
}

/** Work in steps of a few milliseconds, each with an object to store or without one. */
type Steps<Result = void> = Generator<FactsObject | undefined, Result>;

/** Yields each object that `before` does not name, and undefined between other steps. */
export function* planFacts(input: FactsInput): Steps<FactsPlan> {
  const planning = new Planning(input);
  yield* planning.challenges();
  yield* planning.operators();
  yield* planning.days();
  yield* planning.names();
  yield* planning.board();
  return planning.finish();
}

/**
 * Runs {@linkcode planFacts} and yields to the event loop after each step.
 *
 * @param put Stores an object. May return before it is stored, to store several at once; the caller then waits for
 *   all before it stores the index.
 */
export async function exportFacts(
  input: FactsInput,
  put: (object: FactsObject) => Promise<void>,
): Promise<FactsPlan> {
  const steps = planFacts(input);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (value) await put(value);
    await yieldToEventLoop();
  }
}

/** How many operators are looked up at a time. */
const LISTED = 1_000;

class Planning {
  readonly #input: FactsInput;
  readonly #before: FactsIndex | null;
  /** The state of the database when this began. What changes later is in the next plan. */
  readonly #at: Pick<FactsIndex, 'change' | 'log_index'>;
  readonly #units: Map<string, string>;
  readonly #marks: Map<string, number>;
  readonly #days = new Map<string, string>();
  readonly #files = new Set<string>();
  /** Operators to look at; null for all. */
  readonly #changed: Set<number> | null;

  constructor(input: FactsInput) {
    const { store, before, recheck = false } = input;
    this.#input = input;
    this.#before = before;
    this.#at = { log_index: store.log.head()?.index ?? 0, change: store.operatorChanges.last() };
    this.#units = new Map(before?.units);
    this.#marks = new Map(before?.marks);
    this.#changed =
      before === null || recheck
        ? null
        : new Set(store.operatorChanges.since(before.log_index, before.change));
  }

  /** Final standings. Their rows change only when an operator is hidden or deleted. */
  *challenges(): Steps {
    const { replicaOut } = this.#out;
    for (const { seq, pages } of replicaOut.frozen()) {
      const known = this.#before?.units.has(unitOfPlaces(seq, 0)) ?? false;
      const affected = known ? this.#affectedPages(seq) : null;
      if (!known) for (const id of replicaOut.participants(seq)) this.#changed?.add(id);
      for (let page = 0; page < pages; page += 1) {
        if (affected && !affected(page)) continue;
        yield this.#set(unitOfPlaces(seq, page), { tables: replicaOut.challenge(seq, page) });
      }
    }
  }

  #affectedPages(seq: number): (page: number) => boolean {
    const { replicaOut } = this.#out;
    if (this.#changed === null || this.#changed.has(ENDED)) return () => true;
    const pages = new Set([...this.#changed].flatMap((id) => replicaOut.pagesOf(seq, id)));
    return (page) => pages.has(page);
  }

  *operators(): Steps {
    const { replicaOut } = this.#out;
    const open = new Set<number>();
    for (let last = -1; last !== undefined; yield) {
      const ids = replicaOut.openAfter(last, LISTED);
      ids.forEach((id) => open.add(id));
      if (ids.length < LISTED) break;
      last = ids.at(-1) as number;
    }
    for (const unit of this.#units.keys()) {
      const [kind, id] = unit.split('/');
      if (kind === 'operators' && !open.has(Number(id))) this.#units.delete(unit);
    }
    for (const id of this.#changed ?? open) {
      if (open.has(id)) yield this.#operator(id);
    }
  }

  #operator(id: number): FactsObject | undefined {
    const { replicaOut, snapshot } = this.#out;
    const content = snapshot(() => {
      if (!replicaOut.isOpen(id)) return null;
      return { tables: replicaOut.operator(id), facts: { places: replicaOut.placesOf(id) } };
    });
    const unit = `operators/${id}`;
    if (content) return this.#set(unit, content);
    this.#units.delete(unit);
    return undefined;
  }

  /** Names of operators. Groups without changes stay as they are. */
  *names(): Steps {
    const { replicaOut } = this.#out;
    const changed = this.#changed && !this.#changed.has(ENDED) ? this.#changed : null;
    const groups = changed && new Set([...changed].map((id) => id >> NAMES_BITS));
    const last = replicaOut.lastId() >> NAMES_BITS;
    for (let group = 0; group <= last; group += 1) {
      if (groups && !groups.has(group)) continue;
      const first = group << NAMES_BITS;
      const { tables, changedAt } = replicaOut.names(first, first + (1 << NAMES_BITS) - 1);
      yield this.#set(`names/${group}`, { tables, facts: { changedAt } });
    }
  }

  /**
   * Complete days. They change when operators are removed from them, when their values are deleted, and while a day
   * that was stored too early is stored again. Whole months are looked at, because ranks are kept by month.
   */
  *days(): Steps {
    const hasEnded = this.#changed === null || this.#changed.has(ENDED);
    const looked = new Map<string, Day[]>();
    const all = Map.groupBy(this.#out.replicaOut.days(), ({ day }) => monthOf(day));
    for (const [month, days] of all) {
      const states = days.map(({ day, log_index, thinned }) => [day, `${log_index} ${thinned}`]);
      const before = states.map(([day = '']) => this.#before?.days.get(day));
      for (const [day = '', state = ''] of states) this.#days.set(day, state);
      const isChanged = hasEnded || states.some(([, state], at) => state !== before[at]);
      if (!isChanged) continue;
      const isNew = (at: number) => before[at]?.split(' ')[0] !== states[at]?.[1]?.split(' ')[0];
      looked.set(
        month,
        days.map((day, at) => ({ ...day, isNew: isNew(at) })),
      );
    }
    const seen = new Set<string>();
    for (const [month, days] of looked) yield* this.#month(month, days, seen);
    for (const unit of this.#units.keys()) {
      const [kind = '', day = ''] = unit.split('/');
      const month = monthOf(day);
      if (!KINDS_OF_DAYS.includes(kind) || seen.has(unit)) continue;
      if (looked.has(month) || !all.has(month)) this.#forget(unit);
    }
  }

  *#month(month: string, days: readonly Day[], seen: Set<string>): Steps {
    const { replicaOut } = this.#out;
    const ranks = new Map<number, number>();
    for (const { day, thinned, isNew } of days) {
      const marks = replicaOut.marks(day);
      const groups = Map.groupBy(marks, ({ chunk }) => chunk >> GROUP_BITS);
      for (const [group, chunks] of groups) {
        const mark = { members: sumOf(chunks.map(({ members }) => members)), isNew, seen };
        yield this.#mark(`days/${day}/${group}`, mark, () => replicaOut.places(day, group));
      }
      for (const { chunk, members, ranked, has_values } of marks) {
        if (ranked > 0) ranks.set(chunk, (ranks.get(chunk) ?? 0) + ranked);
        if (has_values === 0 || thinned === 1) continue;
        const mark = { members, isNew, seen };
        yield this.#mark(`values/${day}/${chunk}`, mark, () => replicaOut.values(day, chunk));
      }
    }
    const isNew = days.some((day) => day.isNew);
    for (const [chunk, members] of ranks) {
      const mark = { members, isNew, seen };
      yield this.#mark(`ranks/${month}/${chunk}`, mark, () => replicaOut.ranks(month, chunk));
    }
  }

  /** Pictures, and what concerns the whole board. Both are small, and made each time. */
  *board(): Steps {
    const { store, settings } = this.#input;
    const pictures = store.replicaOut.pictures();
    for (const hash of shownHashes(pictures)) {
      yield this.#file(hash, () => store.replicaOut.picture(hash));
    }
    for (const bytes of this.#input.files) {
      yield this.#file(createHash('sha256').update(bytes).digest('hex'), () => bytes);
    }
    yield this.#set('pictures', { tables: pictures });
    const tables = store.replicaOut.board([...this.#days.keys()]);
    yield this.#set('board', { tables, facts: boardFactsIn(store, settings) });
  }

  finish(): FactsPlan {
    const index = {
      ...this.#at,
      units: this.#units,
      marks: this.#marks,
      days: this.#days,
      files: this.#files,
    };
    const named = new Set(keysOf(index));
    const obsolete = this.#before ? [...keysOf(this.#before)].filter((key) => !named.has(key)) : [];
    return { index, obsolete };
  }

  get #out() {
    return this.#input.store;
  }

  /** Names the content of a unit. Returns its object if it is new. */
  #set(unit: string, content: FactsContent): FactsObject | undefined {
    const packed = packContent(content);
    const version = versionOf(packed);
    this.#units.set(unit, version);
    if (this.#before?.units.get(unit) === version) return undefined;
    return { key: keyOf(unit, version), bytes: compress(packed) };
  }

  /** The same for a unit of stored days, which is read only if it is new or lost operators. */
  #mark(
    unit: string,
    { members, isNew, seen }: { members: number; isNew: boolean; seen: Set<string> },
    tables: () => FactsContent['tables'],
  ): FactsObject | undefined {
    seen.add(unit);
    const isKnown = !isNew && !this.#input.recheck && this.#units.has(unit);
    if (isKnown && this.#marks.get(unit) === members) return undefined;
    this.#marks.set(unit, members);
    return this.#set(unit, { tables: tables() });
  }

  #forget(unit: string): void {
    this.#units.delete(unit);
    this.#marks.delete(unit);
  }

  #file(sha256: string, read: () => Uint8Array | undefined): FactsObject | undefined {
    const isStored = this.#before?.files.has(sha256) || this.#files.has(sha256);
    const body = isStored ? undefined : read();
    if (isStored || body) this.#files.add(sha256);
    return body && { key: fileKey(sha256), bytes: Buffer.from(body) };
  }
}

const KINDS_OF_DAYS = ['days', 'ranks', 'values'];

/** A stored day, and whether it was not stored before, or was stored again. */
interface Day {
  day: string;
  thinned: 0 | 1;
  isNew: boolean;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function monthOf(day: string): string {
  return day.slice(0, 7);
}

function unitOfPlaces(seq: number, page: number): string {
  return `challenges/${seq}/${page}`;
}

function shownHashes([pictures]: FactsContent['tables']): string[] {
  const { columns = [], values = [] } = pictures ?? {};
  return [...new Set(values[columns.indexOf('hash')] as string[] | undefined)];
}
