import { isDeepStrictEqual } from 'node:util';
import { utcDay } from '#core/domain/counting/day.ts';
import type { Marks } from '#db/engine/leftovers.ts';
import type { Store } from '#db/store.ts';
import { collectGarbage } from '#server/process/collect-garbage.ts';
import { type Checks, type CheckTurns, failureText } from './checks/checks.ts';
import { forget } from './forget.ts';
import type { LeftoverSearch } from './leftover-search.ts';
import { compacted } from './project/compact.ts';
import type { HelperOptions } from './project/helpers.ts';
import { Projection } from './projection.ts';
import { publish, shownState } from './publish.ts';
import { showsOnlySeen } from './read/shows-only-seen.ts';
import type { PublicationData } from './state/board-state.ts';
import { readPublications, storePublication } from './stored/stored-publications.ts';
import type {
  Carried,
  WorkerAnswer,
  WorkerFailure,
  WorkerOptions,
  WorkerRequest,
} from './worker.ts';

/** How long a publication waits for the checks, in milliseconds; less if something must be hidden. */
const CHECKS_MS = 300;
const HASTY_CHECKS_MS = 100;

interface Tools {
  store: Store;
  checks: Checks;
  turns: CheckTurns;
  search: LeftoverSearch;
}

/** Answers requests with what the thread knows from earlier ones. */
export class Publishing {
  carried: Carried;
  readonly #tools: Tools;
  readonly #options: WorkerOptions;
  #projection: Projection | null = null;
  /** Errors of storing that were not reported yet. */
  #failures: string[] = [];
  /** Whether the last publication hid something that is still in memory. */
  #isForgetting = false;
  /** Whether the last publication is not stored yet. */
  #isUnstored = false;

  constructor(tools: Tools, options: WorkerOptions & { carried: Carried }) {
    this.#tools = tools;
    this.#options = options;
    this.carried = options.carried;
  }

  answer(request: WorkerRequest): WorkerAnswer | WorkerFailure {
    try {
      return this.#answer(request);
    } catch (error) {
      // Discards what was read or stored only in part.
      this.#projection = null;
      return failureOf(error);
    }
  }

  /** Discards what was computed, so that the next publication computes everything again. */
  distrust(): void {
    this.#projection = null;
    this.carried = { ...this.carried, last: null, tip: null };
  }

  /** Stores the last publication. It may already be public, and would be computed again after a restart. */
  store(): void {
    const { last, tip } = this.carried;
    if (!last || !this.#isUnstored) return;
    this.#isUnstored = false;
    if (this.#isForgetting) this.#forgetInMemory(last);
    // If this fails, the next publication is stored as an image.
    this.carried = { ...this.carried, tip: null };
    const { store } = this.#tools;
    try {
      const { data, projected } = this.carried.last ?? last;
      const stored = storePublication(store, data.head.id, projected, tip);
      this.carried = { ...this.carried, tip: stored };
    } catch (error) {
      this.#failures.push(failureText(error));
    }
    collectGarbage();
  }

  /** Continues in new memory, which contains nothing that was hidden. */
  #forgetInMemory({ data, projected }: NonNullable<Carried['last']>): void {
    const clean = compacted(projected);
    this.carried = {
      ...this.carried,
      last: { data: { ...data, state: clean.state }, projected: clean },
    };
    this.#projection = null;
    this.#isForgetting = false;
  }

  #answer(request: WorkerRequest): WorkerAnswer {
    const failures = this.#check(request);
    const { nowMs, isClockSure, isForced, toForget } = request;
    const { search, store } = this.#tools;
    const shown = shownState(store, utcDay(nowMs), isClockSure);
    if (shown === this.carried.shown && this.carried.last && !isForced) {
      const { isSound: isClean, marks: sought } = search;
      return { data: null, earlier: [], isClean, sought, failures };
    }
    const isFirst = this.carried.shown === null;
    const earlier = isFirst && !toForget ? this.#readEarlier() : [];
    const last = this.#publish(request);
    const showsTooMuch = earlier.some(({ state }) => !showsOnlySeen(state, last.data.state));
    const marks = toForget ?? (showsTooMuch ? [] : null);
    const isClean = this.#forget(last.data, marks);
    this.carried = { ...this.carried, shown, last };
    const { marks: sought } = search;
    return { data: last.data, earlier: marks ? [] : earlier, isClean, sought, failures };
  }

  /** @param marks Texts to erase, in addition to all earlier publications; null if nothing must be erased. */
  #forget({ head }: PublicationData, marks: Marks | null): boolean {
    const { search, store } = this.#tools;
    this.#isForgetting = marks !== null;
    if (!marks) return search.isSound;
    this.carried = { ...this.carried, tip: null };
    return forget({ store, search }, { id: head.id, marks });
  }

  /** What is done before each publication. Returns the errors since the last one. */
  #check({ nowMs, isClockSure, toForget }: WorkerRequest): string[] {
    const { store, checks, turns } = this.#tools;
    store.confirmFile();
    const now = new Date(nowMs);
    if (isClockSure) store.expiry.forgetExpired(now);
    if (toForget) checks.forget();
    const budgetMs = toForget ? HASTY_CHECKS_MS : CHECKS_MS;
    return [...this.#failures.splice(0), ...turns.run(now, budgetMs)];
  }

  #publish({ nowMs, isClockSure }: WorkerRequest): NonNullable<Carried['last']> {
    const { store } = this.#tools;
    const last = this.carried.last;
    const { ruleset, valuesDays } = this.#options;
    const helpers = this.#helpers();
    this.#projection ??= new Projection(ruleset, last?.projected, helpers);
    const projection = this.#projection;
    const asked = { isClockSure, valuesDays, last: last?.data ?? null };
    const data = publish(store, projection, nowMs, asked);
    const { projected } = projection;
    if (!projected) throw new Error('Nothing was projected');
    this.#isUnstored = true;
    return { data, projected };
  }

  #helpers(): HelperOptions | null {
    const { workerUrl, databasePath, migrations, writeLock } = this.#options;
    if (workerUrl === undefined) return null;
    const access = { databasePath, migrations, ...(writeLock && { writeLock }) };
    const onFailure = () => void this.#failures.push('A helping thread failed');
    return { workerUrl, access, onFailure };
  }

  /** Reads the publications of an earlier process, oldest first, and continues from the last one. */
  #readEarlier(): PublicationData[] {
    const { store } = this.#tools;
    const read = readPublications(store);
    const last = read.at(-1);
    if (last && isDeepStrictEqual(last.projected.term.ruleset, this.#options.ruleset)) {
      const { data, projected } = last;
      // Changes can only follow the newest publication, so an image replaces one that cannot be read.
      const isNewest = store.publications.kept()[0]?.id === data.head.id;
      this.carried = {
        ...this.carried,
        last: { data, projected },
        tip: isNewest ? last.tip : null,
      };
    }
    return read.map(({ data }) => data);
  }
}

function failureOf(error: unknown): WorkerFailure {
  if (!(error instanceof Error)) return { failed: { message: String(error), stack: '', code: '' } };
  const { message, stack = message } = error;
  return { failed: { message, stack, code: 'code' in error ? String(error.code) : '' } };
}
