/** Runs random histories, and compares each publication with the reference. */
import { type ActionName } from './actions.ts';
import {
  type Moment,
  compareAsShownIn,
  compareChallenges,
  comparePublication,
  expectSame,
} from './compare.ts';
import { compareVersions } from './compare-versions.ts';
import { aStart, lastStored, publishOnce } from './implementation.ts';
import { RandomHistory } from './random-history.ts';
import { ReferenceDays, referenceOf } from './reference-board.ts';
import { exportOf, verify } from '../board/public-log.ts';

/** After this many steps, the publishing thread restarts and the log is verified. */
const RESTART_EVERY = 7;
const VERIFY_EVERY = 20;

/** Runs a history. If it fails, the error's message contains the seed and the steps. */
export async function runHistory(
  seed: number,
  steps: number,
): Promise<ReadonlyMap<ActionName, number>> {
  const history = new RandomHistory(seed);
  try {
    await compareEach(history, steps);
  } catch (error) {
    const { message } = error as Error;
    const text = `The history with seed ${seed} fails:\n${message}\n${history.steps.join('\n')}`;
    throw new Error(text, { cause: error });
  }
  return history.done;
}

async function compareEach(history: RandomHistory, steps: number): Promise<void> {
  const { ctx, below } = history;
  const days = new ReferenceDays();
  await history.begin();
  let state = aStart(ctx.ruleset);
  let earlier: Moment | null = null;
  for (let step = 1; step <= steps; step += 1) {
    if (state.ruleset !== ctx.ruleset) state = aStart(ctx.ruleset);
    const { nowMs } = ctx.clock;
    const publication = publishOnce(ctx.store, state, nowMs);
    const reference = referenceOf(ctx.store, publication.as_of, ctx.ruleset);
    const moment = { publication, reference, days };
    expectSame('generated_at', publication.generated_at, ctx.now().toISOString());
    expectSame('log_index', publication.log_index, ctx.store.log.head()?.index);
    comparePublication(moment, below);
    compareChallenges(moment, ctx.store);
    if (earlier) {
      compareVersions(earlier, moment);
      compareAsShownIn(earlier, moment, below);
    }
    if (step % RESTART_EVERY === 0) {
      state = aStart(ctx.ruleset);
      comparePublication({ ...moment, publication: lastStored(ctx.store) }, below);
      const publicationOfStart = publishOnce(ctx.store, state, nowMs);
      compareVersions(moment, { ...moment, publication: publicationOfStart });
      comparePublication({ ...moment, publication: publicationOfStart }, below);
    }
    if (step % VERIFY_EVERY === 0 || step === steps) {
      expectSame('findings in the log', verify(exportOf(ctx)).findings, []);
    }
    days.add(reference);
    earlier = moment;
    await history.step();
  }
}
