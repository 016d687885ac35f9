import type { Progress } from '../command.ts';
import type { LocalDevice } from '../device.ts';
import { Failure } from '../failure.ts';

const TRIES = 5;
/** The pause after the first failure, in milliseconds; each later one is twice as long. */
const FIRST_PAUSE_MS = 1000;
/** If the board asks for a longer wait, there is no retry. */
const LONGEST_WAIT_SECONDS = 120;

/**
 * Runs a step, and retries it after temporary errors, with growing pauses or after the board's Retry-After.
 *
 * @throws {Failure} the last error, if retries fail or would not help.
 */
export async function withRetries<Result>(
  { wait }: Pick<LocalDevice, 'wait'>,
  step: () => Promise<Result>,
  progress: Progress = () => undefined,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await step();
    } catch (error) {
      const pauseMs = error instanceof Failure ? pauseAfter(error, tries) : null;
      if (pauseMs === null || !(error instanceof Failure)) throw error;
      if (tries === TRIES) throw withTries(error);
      const pause = `${Math.ceil(pauseMs / 1000)} s`;
      const isFirst = tries === 1;
      const next = isFirst ? `retrying up to ${TRIES - 1} times, first` : 'retrying';
      progress(`${next} in ${pause}: ${error.message}`, isFirst);
      await wait(pauseMs);
    }
  }
}

/** How long to wait, in milliseconds; null if a retry would not help or would take too long. */
function pauseAfter({ isPassing, retryAfterSeconds }: Failure, tries: number): number | null {
  const asked = retryAfterSeconds ?? 0;
  if (!isPassing || asked > LONGEST_WAIT_SECONDS) return null;
  const pauseMs = FIRST_PAUSE_MS * 2 ** (tries - 1);
  // Random, so that devices that failed together do not retry together.
  const jitter = 0.5 + Math.random() / 2;
  return Math.max(1000 * asked, pauseMs / 2) + (pauseMs / 2) * jitter;
}

function withTries(failure: Failure): Failure {
  failure.message += ` (tried ${TRIES} times)`;
  return failure;
}
