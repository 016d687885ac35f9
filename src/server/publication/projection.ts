import type { Ruleset } from '#core/domain/board/ruleset.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import type { Store } from '#db/store.ts';
import { Contests } from './contests/contests.ts';
import { type Field, fieldOf } from './project/field.ts';
import type { HelperOptions } from './project/helpers.ts';
import { type Projected, readChanges } from './project/read-changes.ts';
import type { BoardState } from './state/board-state.ts';
import { versionOf } from './state/sums.ts';

/**
 * The boards of a day, kept between publications, so that each one computes only what changed. Lives in its own
 * thread.
 */
export class Projection {
  readonly #ruleset: Ruleset;
  readonly #contests: Contests;
  readonly #helpers: HelperOptions | null;
  #projected: Projected | null;
  #field: Field | null = null;
  #slots: Map<number, number> | null = null;

  /** @param projected What an earlier projection by the same rules knew. */
  constructor(
    ruleset: Ruleset,
    projected: Projected | null = null,
    helpers: HelperOptions | null = null,
  ) {
    this.#ruleset = ruleset;
    this.#helpers = helpers;
    this.#contests = new Contests(ruleset);
    this.#projected = projected;
    if (projected) this.#contests.resume(projected.term);
  }

  /** What another projection needs to continue; null before the first refresh. */
  get projected(): Projected | null {
    return this.#projected;
  }

  /**
   * Reads the changes, or everything if the windows end on another day. Returns the number of log entries that the
   * projection covers.
   *
   * @param isClockSure Whether results that depend on the day may become final.
   */
  refresh(store: Store, as_of: string, isClockSure = true): number {
    this.#contests.trustClock(isClockSure);
    return store.snapshot(() => {
      const isSameDay = this.#projected?.as_of === as_of;
      const last = isSameDay && !this.#contests.isMissing(store, as_of) ? this.#projected : null;
      if (!last) this.#contests.start(store, as_of);
      const { challenges } = this.#contests;
      const term = { last: dayNumber(as_of), ruleset: this.#ruleset, challenges };
      const { projected: earlier } = this;
      const helpers = this.#helpers;
      const slots = this.#slots;
      const changes = readChanges(store, { as_of, term, last, earlier, slots, helpers });
      const { projected } = changes;
      this.#slots = changes.slots;
      this.#field = fieldOf(store, { ...changes, last });
      this.#contests.look(store, as_of, this.#field);
      this.#projected = projected;
      return projected.log_index;
    });
  }

  /** Stores the final results of this refresh, as first shown by the publication of an instant. */
  keep(store: Store, generated_at: string): void {
    this.#contests.keep(store, generated_at);
  }

  /**
   * The current boards, with public and anonymous operators only. Private and hidden operators count nowhere.
   *
   * @throws {Error} before the first refresh.
   */
  project(): BoardState {
    const { projected } = this;
    if (!projected || !this.#field) throw new Error('Nothing was read yet');
    const { state } = projected;
    const contests = this.#contests.columns(this.#field, state.challenges);
    const sums = contests.challenges.flatMap(({ seq, rowsSum }) => [seq, rowsSum]);
    const records = contests.records.flatMap(({ value, operator }) => [value, operator]);
    const version = versionOf(state.operatorsSum, ...sums, ...records);
    this.#projected = { ...projected, state: { ...state, ...contests, version } };
    return this.#projected.state;
  }
}
