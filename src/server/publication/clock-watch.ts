/** How far the wall clock may part from the steady one and still be the same, in milliseconds. */
const TOLERANCE_MS = 60_000;

/** After so long without another jump the clock is taken for right again, in milliseconds. */
const SETTLING_MS = 60 * 60_000;

interface ClockLook {
  /** By how much the clock was set since the look before, in seconds; 0 if it was not. */
  jumpedSeconds: number;
  /** Whether the clock can be trusted with what cannot be undone. */
  isSettled: boolean;
}

/**
 * Compares the machine's clock, which anybody may set, with one that only ever goes on. A clock that was
 * wrong when the process began cannot be told.
 */
export class ClockWatch {
  #offsetMs: number | null = null;
  /** The offset that is known to be right. */
  #settledMs: number | null = null;
  #jumpedAtMs = 0;

  look(wallMs: number, steadyMs: number): ClockLook {
    const offsetMs = wallMs - steadyMs;
    const jumpMs = offsetMs - (this.#offsetMs ?? offsetMs);
    const hasJumped = Math.abs(jumpMs) > TOLERANCE_MS;
    this.#offsetMs = offsetMs;
    if (hasJumped) this.#jumpedAtMs = steadyMs;
    const isSettled = this.#isSettled(offsetMs, steadyMs);
    // A clock that is corrected little by little stays the same clock.
    if (isSettled) this.#settledMs = offsetMs;
    return { jumpedSeconds: hasJumped ? Math.round(jumpMs / 1000) : 0, isSettled };
  }

  #isSettled(offsetMs: number, steadyMs: number): boolean {
    if (this.#settledMs === null) return true;
    if (Math.abs(offsetMs - this.#settledMs) <= TOLERANCE_MS) return true;
    return steadyMs - this.#jumpedAtMs >= SETTLING_MS;
  }
}
