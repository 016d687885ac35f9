/** How far the wall clock may drift from the monotonic one without counting as set, in milliseconds. */
const TOLERANCE_MS = 60_000;

/** After this long without another jump, the clock is trusted again, in milliseconds. */
const SETTLING_MS = 60 * 60_000;

interface ClockLook {
  /** By how much the clock was set since the last look, in seconds; 0 if it was not. */
  jumpedSeconds: number;
  /** Whether the clock can be trusted for changes that cannot be undone. */
  isSettled: boolean;
}

/**
 * Compares the machine's clock, which can be set, with a monotonic one. Cannot detect a clock that was already wrong
 * when the process began.
 */
export class ClockWatch {
  #offsetMs: number | null = null;
  /** The last offset that is trusted. */
  #settledMs: number | null = null;
  #jumpedAtMs = 0;

  look(wallMs: number, steadyMs: number): ClockLook {
    const offsetMs = wallMs - steadyMs;
    const jumpMs = offsetMs - (this.#offsetMs ?? offsetMs);
    const hasJumped = Math.abs(jumpMs) > TOLERANCE_MS;
    this.#offsetMs = offsetMs;
    if (hasJumped) this.#jumpedAtMs = steadyMs;
    const isSettled = this.#isSettled(offsetMs, steadyMs);
    // Gradual corrections do not count as a jump.
    if (isSettled) this.#settledMs = offsetMs;
    return { jumpedSeconds: hasJumped ? Math.round(jumpMs / 1000) : 0, isSettled };
  }

  #isSettled(offsetMs: number, steadyMs: number): boolean {
    if (this.#settledMs === null) return true;
    if (Math.abs(offsetMs - this.#settledMs) <= TOLERANCE_MS) return true;
    return steadyMs - this.#jumpedAtMs >= SETTLING_MS;
  }
}
