/** Writes what pages need in addition to the publication as objects, of which only those that changed are made. */
import { createHash } from 'node:crypto';
import { NAMES_BITS } from '#db/replica-out.ts';
import type { Store } from '#db/store.ts';
import { ENDED } from '#db/operator-changes.ts';
import { yieldToEventLoop } from '../process/yield-to-event-loop.ts';
import { boardFactsIn, entriesIn } from './board-facts.ts';
import { type FactsIndex, keysOf } from './facts-index.ts';
import type { FactsContent, FactsObject } from './facts-object.ts';
import { planChallenges } from './plan-challenges.ts';
import { planDays } from './plan-days.ts';
import { PlannedUnits, type Steps } from './planned-units.ts';

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
  readonly #planned: PlannedUnits;
  #days: FactsIndex['days'] = new Map();
  /** Operators to look at; null for all. */
  readonly #changed: Set<number> | null;

  constructor(input: FactsInput) {
    const { store, before, recheck = false } = input;
    this.#input = input;
    this.#before = before;
    this.#at = { log_index: store.log.head()?.index ?? 0, change: store.operatorChanges.last() };
    this.#planned = new PlannedUnits(before, !recheck);
    this.#changed =
      before === null || recheck
        ? null
        : new Set(store.operatorChanges.since(before.log_index, before.change));
  }

  *challenges(): Steps {
    const { store } = this.#input;
    const changed = this.#changed?.has(ENDED) ? null : this.#changed;
    const placed = yield* planChallenges({ store, planned: this.#planned, changed });
    for (const id of placed) this.#changed?.add(id);
  }

  *operators(): Steps {
    const { replicaOut } = this.#input.store;
    const open = new Set<number>();
    for (let last = -1; ; yield) {
      const ids = replicaOut.openAfter(last, LISTED);
      ids.forEach((id) => open.add(id));
      if (ids.length < LISTED) break;
      last = ids.at(-1) as number;
    }
    for (const unit of this.#planned.units.keys()) {
      const [kind, id] = unit.split('/');
      if (kind === 'operators' && !open.has(Number(id))) this.#planned.forget(unit);
    }
    for (const id of this.#changed ?? open) {
      if (open.has(id)) yield this.#operator(id);
    }
  }

  #operator(id: number): FactsObject | undefined {
    const { replicaOut, snapshot } = this.#input.store;
    const content = snapshot(() => {
      if (!replicaOut.isOpen(id)) return null;
      return { tables: replicaOut.operator(id), facts: { places: replicaOut.placesOf(id) } };
    });
    const unit = `operators/${id}`;
    if (content) return this.#planned.set(unit, content);
    this.#planned.forget(unit);
    return undefined;
  }

  /** Names of operators. Groups without changes stay as they are. */
  *names(): Steps {
    const { replicaOut } = this.#input.store;
    const changed = this.#changed && !this.#changed.has(ENDED) ? this.#changed : null;
    const groups = changed && new Set([...changed].map((id) => id >> NAMES_BITS));
    const last = replicaOut.lastId() >> NAMES_BITS;
    for (let group = 0; group <= last; group += 1) {
      if (groups && !groups.has(group)) continue;
      const first = group << NAMES_BITS;
      const { tables, changedAt } = replicaOut.names(first, first + (1 << NAMES_BITS) - 1);
      yield this.#planned.set(`names/${group}`, { tables, facts: { changedAt } });
    }
  }

  *days(): Steps {
    const hasEnded = this.#changed === null || this.#changed.has(ENDED);
    const before = this.#before?.days ?? new Map<string, string>();
    const { store } = this.#input;
    this.#days = yield* planDays({ store, planned: this.#planned, before, hasEnded });
  }

  /** Pictures, and what concerns the whole board. Both are small, and made each time. */
  *board(): Steps {
    const { store, settings } = this.#input;
    const pictures = store.replicaOut.pictures();
    for (const hash of shownHashes(pictures)) {
      yield this.#planned.file(hash, () => store.replicaOut.picture(hash));
    }
    for (const bytes of this.#input.files) {
      yield this.#planned.file(createHash('sha256').update(bytes).digest('hex'), () => bytes);
    }
    yield this.#planned.set('pictures', { tables: pictures });
    const tables = store.replicaOut.board([...this.#days.keys()]);
    const entries = yield* entriesIn(store);
    yield this.#planned.set('board', {
      tables,
      facts: { ...boardFactsIn(store), entries, settings },
    });
  }

  finish(): FactsPlan {
    const { units, marks, files } = this.#planned;
    const index = { ...this.#at, units, marks, days: this.#days, files };
    const named = new Set(keysOf(index));
    const obsolete = this.#before ? [...keysOf(this.#before)].filter((key) => !named.has(key)) : [];
    return { index, obsolete };
  }
}

function shownHashes([pictures]: FactsContent['tables']): string[] {
  const { columns = [], values = [] } = pictures ?? {};
  return [...new Set(values[columns.indexOf('hash')] as string[] | undefined)];
}
