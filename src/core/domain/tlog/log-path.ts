/**
 * The logs of a board by their origins: `HOST/log`, and `HOST/log/n` from 2 on if a restored board had to begin a new
 * one.
 *
 * @module
 */

/** Which log of a board an origin names, from 1 on. */
export function generationOf(origin: string): number {
  return Number(/\/log\/([1-9]\d*)$/.exec(origin)?.[1] ?? 1);
}

/** The path of a log's files below the board's address, without slashes at both ends: `log` or `log/n`. */
export function logPathOf(origin: string): string {
  const generation = generationOf(origin);
  return generation === 1 ? 'log' : `log/${generation}`;
}
