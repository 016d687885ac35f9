import type { Ruleset } from '#core/domain/board/ruleset.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import type { Store } from '#db/store.ts';
import { type Changes, Contests } from './contests/contests.ts';
import { EarlierRanks, type Member, ProjectedBoards } from './project/projected-boards.ts';
import { type ProjectedOperator, projectOperator } from './project/projected-operator.ts';
import { UsageReader } from './project/usage-reader.ts';
import type { ModerationCounts } from './read/columns.ts';
import { seenNames, type SeenOperator } from './read/published-operators.ts';

/**
 * All operators' rows on the boards of a day. They are kept between publications, so that each publication computes
 * only what changed. Lives in its own thread.
 */
export class Projection {
  readonly #ruleset: Ruleset;
  readonly #operators = new Map<number, ProjectedOperator>();
  readonly #contests: Contests;
  #devices = new Map<number, number>();
  #names = new Map<number, SeenOperator>();
  #members: readonly Member[] = [];
  #moderation: ModerationCounts = { held_submissions: 0, hidden_operators: 0 };
  #earlier: EarlierRanks | null = null;
  #logIndex = 0;
  #asOf = '';

  constructor(ruleset: Ruleset) {
    this.#ruleset = ruleset;
    this.#contests = new Contests(ruleset);
  }

  /**
   * Reads the changes in the log, or everything if the windows end on another day. Returns the number of log entries
   * that the projection covers.
   *
   * @param isClockSure Whether results that depend on the day may become final.
   */
  refresh(store: Store, as_of: string, isClockSure = true): number {
    this.#contests.trustClock(isClockSure);
    return store.snapshot(() => {
      if (this.#asOf !== as_of || this.#contests.isMissing(store, as_of)) {
        this.#forgetAll(store, as_of);
      }
      const logged = new Set(store.operators.logged());
      for (const id of this.#operators.keys()) {
        if (!logged.has(id)) this.#operators.delete(id);
      }
      this.#read(store, this.#contests.changes(store, as_of, this.#logIndex));
      this.#devices = new Map(store.devices.signing());
      this.#names = seenNames(store);
      this.#moderation = store.moderation.counts();
      this.#logIndex = store.log.head()?.index ?? 0;
      this.#members = this.#seen();
      this.#contests.look(store, as_of, this.#members, this.#names);
      return this.#logIndex;
    });
  }

  /** Stores the final results of this refresh, as first shown by the publication of an instant. */
  keep(store: Store, generated_at: string): void {
    this.#contests.keep(store, generated_at);
  }

  /** The current boards, with public and anonymous operators only. Private and hidden operators count nowhere. */
  project(): ProjectedBoards {
    return new ProjectedBoards(this.#members, {
      rules: this.#ruleset,
      moderation: this.#moderation,
      earlier: this.#earlier,
      contests: this.#contests.columns(this.#members),
    });
  }

  #seen(): Member[] {
    return [...this.#operators]
      .flatMap(([id, operator]): Member[] => {
        const name = this.#names.get(id);
        const devices = this.#devices.get(id) ?? 0;
        return name && operator.tools.length > 0 ? [{ id, operator, devices, ...name }] : [];
      })
      .sort((a, b) => (a.codename < b.codename ? -1 : 1));
  }

  /** Projects operators with changes. Call it inside a snapshot. */
  #read(store: Store, { as_of, since, challenges, lookedAt }: Changes): void {
    const term = { last: dayNumber(as_of), ruleset: this.#ruleset, challenges };
    const unsigned = new Set(store.devices.selfReporters());
    const reader = new UsageReader((device_id) => unsigned.has(device_id));
    for (const { id, log_index } of store.operators.changedSince(since)) {
      const usage = reader.read(store.buckets.counting(id));
      const operator = projectOperator(usage, { ...term, seeksRecords: log_index > lookedAt });
      this.#operators.set(id, operator);
    }
  }

  #forgetAll(store: Store, as_of: string): void {
    this.#operators.clear();
    this.#logIndex = 0;
    this.#asOf = as_of;
    this.#contests.start(store, as_of);
    this.#earlier = new EarlierRanks(store, as_of);
  }
}
