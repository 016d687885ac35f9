/** Runs random histories, and compares each publication with the reference. */
import { collectGarbage } from '#server/process/collect-garbage.ts';
import { utcDay } from '#core/domain/counting/day.ts';
import { type Moment, compareAsShownIn, compareChallenges, comparePublication } from './compare.ts';
import { compareVersions } from './compare-versions.ts';
import { expectSame } from './expect-same.ts';
import {
  aStart,
  differingFrom,
  lastStored,
  publishOnce,
  type PublishingState,
} from './implementation.ts';
import { RandomHistory } from './random-history.ts';
import { ReferenceDays, referenceOf } from './reference-board.ts';
import { DAY_MS } from '../board/builders.ts';
import { exportOf, verify } from '../board/public-log.ts';

/** After this many steps, the publishing thread restarts, the clock is wrong once, and the log is verified. */
const RESTART_EVERY = 7;
const YESTERDAY_EVERY = 5;
const VERIFY_EVERY = 20;

/**
 * Runs histories with consecutive seeds. Returns the actions that were done and not refused.
 *
 * @throws {Error} if a publication differs from the reference. The message contains the seed and the steps.
 */
export async function publishedHistories(
  of: Record<'first' | 'histories' | 'steps', number>,
): Promise<ReadonlySet<string>> {
  const done = new Set<string>();
  for (let seed = of.first; seed < of.first + of.histories; seed += 1) {
    const run = new HistoryRun(seed);
    try {
      await run.through(of.steps);
    } catch (error) {
      const { message } = error as Error;
      const text = `The history with seed ${seed} fails:\n${message}\n${run.steps.join('\n')}`;
      throw new Error(text, { cause: error });
    } finally {
      run.close();
    }
    for (const name of run.done) done.add(name);
    collectGarbage();
  }
  return done;
}

class HistoryRun {
  readonly #history: RandomHistory;
  readonly #days = new ReferenceDays();
  #state: PublishingState;
  #earlier: Moment | null = null;

  constructor(seed: number) {
    this.#history = new RandomHistory(seed);
    this.#state = aStart(this.#history.ctx.ruleset);
  }

  get steps(): readonly string[] {
    return this.#history.steps;
  }

  get done(): ReadonlySet<string> {
    return this.#history.done;
  }

  /** Frees the memory of the board. Its folder is deleted after the test. */
  close(): void {
    this.#history.ctx.store.close();
  }

  async through(steps: number): Promise<void> {
    const { ctx } = this.#history;
    await this.#history.begin();
    for (let step = 1; step <= steps; step += 1) {
      if (step > 1) await this.#history.step();
      // Rules are read when a server starts.
      if (this.#state.ruleset !== ctx.ruleset) this.#state = aStart(ctx.ruleset);
      if (step % YESTERDAY_EVERY === 0) this.#publishYesterday();
      const moment = this.#publish(ctx.clock.nowMs);
      this.#compareWithEarlier(moment);
      if (step % RESTART_EVERY === 0) this.#restart(moment);
      if (step % VERIFY_EVERY === 0 || step === steps) {
        expectSame('findings in the log', verify(exportOf(ctx)).findings, []);
      }
    }
  }

  /** Publishes at an instant, and compares everything with the reference. */
  #publish(nowMs: number): Moment {
    const { ctx, below } = this.#history;
    const publication = publishOnce(ctx.store, this.#state, nowMs);
    const reference = referenceOf(ctx.store, utcDay(nowMs), ctx.ruleset);
    const moment = { publication, reference, days: this.#days.copy() };
    expectSame('generated_at', publication.generated_at, new Date(nowMs).toISOString());
    expectSame('operators found by a spot check', differingFrom(ctx.store, this.#state), []);
    expectSame('log_index', publication.log_index, ctx.store.log.head()?.index);
    comparePublication(moment, below);
    compareChallenges(moment, ctx.store);
    this.#days.add(reference);
    return moment;
  }

  /** Publishes a day too early, so that the store has days after that of the board. */
  #publishYesterday(): void {
    this.#publish(this.#history.ctx.clock.nowMs - DAY_MS);
  }

  #compareWithEarlier(moment: Moment): void {
    if (this.#earlier) {
      compareVersions(this.#earlier, moment);
      compareAsShownIn(this.#earlier, moment, this.#history.below);
    }
    this.#earlier = moment;
  }

  /** Reads the stored publication, and publishes the same again in a new thread. */
  #restart(moment: Moment): void {
    const { ctx, below } = this.#history;
    const stored = { ...moment, publication: lastStored(ctx.store) };
    comparePublication(stored, below);
    compareChallenges(stored, ctx.store);
    compareVersions(moment, stored);
    this.#state = aStart(ctx.ruleset);
    compareVersions(moment, this.#publish(ctx.clock.nowMs));
  }
}
