/** Random histories of a board, in which each step is done by the function that the server uses for it. */
import { DomainError } from '#core/domain/text/errors.ts';
import { dayNumber, utcDay } from '#core/domain/counting/day.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { sha256 } from '#server/process/crypto.ts';
import { randomOf } from '../../../scripts/random.mjs';
import { DAY_MS, MINUTE_MS, type TestDevice } from '../board/builders.ts';
import { type TestContext, rankBy, testContext } from '../board/context.ts';
import type { Below } from './compare.ts';
import { ACTIONS, type ActionName } from './actions.ts';
import { join } from './deeds.ts';
import { RULESETS } from './rulesets.ts';

/** An operator of the history. */
export interface Person {
  id: number;
  devices: TestDevice[];
  /** The IDs of the submissions, oldest first. */
  submissions: string[];
  /** The daily counts that were sent last. */
  sent: readonly Bucket[];
}

const COHORTS = ['red', 'blue'].map((id) => ({ id, name: id }));
const SIZES = [1, 3, 6, 9, 12, 25];

/** A board and what has been done to it. The same seed gives the same history. */
export class RandomHistory {
  readonly ctx: TestContext;
  readonly below: Below;
  readonly people: Person[] = [];
  /** The steps so far, to be read after a failure. */
  readonly steps: string[] = [];
  /** The actions that were done and not refused. */
  readonly done = new Set<ActionName>();
  #names = 0;

  constructor(seed: number) {
    const random = randomOf(seed);
    this.below = (limit) => Math.floor(random() * limit);
    const signIn = { authority: null, github: null, twitter: null, mail: null, contactEmail: null };
    this.ctx = testContext({ signIn: { ...signIn, passkeys: 'off', cohorts: COHORTS } });
    const { store } = this.ctx;
    // Aliases decide ties, so they must be the same each time.
    const created_at = this.ctx.now().toISOString();
    store.secrets.add({ name: 'aliases', value: sha256(`aliases ${seed}`), created_at });
  }

  /** The number of the current day. */
  get today(): number {
    return dayNumber(utcDay(this.ctx.clock.nowMs));
  }

  /** Fills the board with a random number of operators, without publications in between. */
  async begin(): Promise<void> {
    rankBy(this.ctx, this.one(RULESETS));
    const size = this.one(SIZES);
    for (let at = 0; at < size; at += 1) {
      const person = await join(this);
      await this.#try('submit', () => ACTIONS.submit.run(this, person));
      if (this.below(3) === 0) await this.#try('submit', () => ACTIONS.submit.run(this, person));
      if (this.below(3) === 0) await this.#try('twin', () => ACTIONS.twin.run(this, person));
    }
  }

  /** Does something random. Returns its name. */
  async step(): Promise<ActionName> {
    this.ctx.clock.nowMs += (5 + this.below(60)) * MINUTE_MS;
    const names = Object.keys(ACTIONS) as ActionName[];
    const ballots = names.flatMap((name) => Array<ActionName>(ACTIONS[name].weight).fill(name));
    const name = this.one(ballots);
    const person = this.one(this.people) ?? (await join(this));
    await this.#try(name, () => ACTIONS[name].run(this, person));
    return name;
  }

  one<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)] as Value;
  }

  /** A name that is new and sorts anywhere. */
  newName(): string {
    this.#names += 1;
    return `${this.one(['ann', 'mia', 'zoe'])}-${this.below(9)}-${this.#names}`;
  }

  moveDays(days: number): void {
    this.ctx.clock.nowMs += days * DAY_MS;
  }

  async #try(name: ActionName, run: () => Promise<string> | string): Promise<void> {
    try {
      const what = await run();
      this.steps.push(`${this.ctx.now().toISOString()} ${name} ${what}`);
      this.done.add(name);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.steps.push(`${this.ctx.now().toISOString()} ${name} refused: ${error.code}`);
    }
  }
}
