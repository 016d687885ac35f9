import { Calibration } from '#core/schema/calibration.ts';
import type { Store } from '#db/store.ts';

/** The board's calibration, in memory, so that pages do not depend on the disk. */
export class BoardCalibration {
  readonly #store: Store;
  #current: Calibration | null;
  #changes = 0;

  constructor(store: Store) {
    this.#store = store;
    const { result, ...head } = store.calibration.current() ?? { result: '{}' };
    // Another version may have stored it in another form. It is then computed again with the next public log.
    const stored = Calibration.safeParse({ ...head, ...(JSON.parse(result) as object) });
    this.#current = stored.data ?? null;
  }

  /** Null until the first public log is written. */
  get current(): Calibration | null {
    return this.#current;
  }

  /** Changes with the calibration. */
  get version(): number {
    return this.#changes;
  }

  replace(calibration: Calibration): void {
    const { as_of, log_index, ...result } = calibration;
    const row = { as_of, log_index, result: JSON.stringify(result) };
    this.#store.transaction(() => this.#store.calibration.replace(row));
    this.#current = calibration;
    this.#changes += 1;
  }
}
