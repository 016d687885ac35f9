import type { Progress } from '../command.ts';
import type { LocalDevice } from '../device.ts';
import { Failure } from '../failure.ts';

const TRIES = 5;
/** The pause after the first failure, in milliseconds; each later one is twice as long. */
const FIRST_PAUSE_MS = 1000;
/** Who asks to wait longer is not waited for. */
const LONGEST_WAIT_SECONDS = 120;

/**
 * Does what a board may fail to do for a while, and does it again after pauses that grow, or as long
 * as the board asks for.
 *
 * @throws {Failure} the last one, if it does not go well or will not go better.
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
      const next = isFirst ? `trying up to ${TRIES - 1} more times, first` : 'trying again';
      progress(`${next} in ${pause}: ${error.message}`, isFirst);
      await wait(pauseMs);
    }
  }
}

/** How long to wait, in milliseconds; null if waiting does not help, or only too long. */
function pauseAfter({ isPassing, retryAfterSeconds }: Failure, tries: number): number | null {
  const asked = retryAfterSeconds ?? 0;
  if (!isPassing || asked > LONGEST_WAIT_SECONDS) return null;
  const pauseMs = FIRST_PAUSE_MS * 2 ** (tries - 1);
  // Devices that failed together must not come back together.
  const jitter = 0.5 + Math.random() / 2;
  return Math.max(1000 * asked, pauseMs / 2) + (pauseMs / 2) * jitter;
}

function withTries(failure: Failure): Failure {
  failure.message += `; tried ${TRIES} times`;
  return failure;
}
