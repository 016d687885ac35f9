import { setTimeout } from 'node:timers/promises';
import { EXIT, Failure } from '../failure.ts';

const MAX_WAIT_SECONDS = 15 * 60;

/** Asks a board, and waits as long as it says whenever it says so. */
export class RetryingClient {
  readonly #wait: (ms: number) => Promise<unknown>;
  readonly #tell: (seconds: number) => void;
  #waited = 0;

  constructor(tell: (seconds: number) => void, wait = (ms: number) => setTimeout(ms)) {
    this.#tell = tell;
    this.#wait = wait;
  }

  /** @throws {Failure} if the board says no, or to wait too long. */
  async ask<Answer>(step: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      try {
        return await step();
      } catch (error) {
        const seconds = error instanceof Failure ? error.retryAfterSeconds : null;
        if (seconds === null) throw error;
        // A board that says 0 must not be asked for ever.
        this.#waited += Math.max(seconds, 1);
        if (this.#waited > MAX_WAIT_SECONDS) {
          throw new Failure(EXIT.network, 'The board asks to wait too long', 'Try again later.');
        }
        this.#tell(seconds);
        await this.#wait(1000 * seconds);
      }
    }
  }
}
