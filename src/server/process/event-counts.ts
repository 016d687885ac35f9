import type { Level } from './logger.ts';

/** Counts log lines of level warn or error by their event. */
export class EventCounts {
  readonly #counts = new Map<string, number>();

  readonly add = (level: Level, event: string): void => {
    if (level !== 'info') this.#counts.set(event, this.of(event) + 1);
  };

  of(event: string): number {
    return this.#counts.get(event) ?? 0;
  }

  get all(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }
}
