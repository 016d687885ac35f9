/**
 * The logs of a board by their origins. The first is `HOST/log`. If a restored board had to begin another one, that is
 * `HOST/log/2`.
 *
 * @module
 */

/** Which log of a board an origin names: 1 for the first. */
export function generationOf(origin: string): number {
  return Number(/\/log\/([1-9]\d*)$/.exec(origin)?.[1] ?? 1);
}

/** The path of a log's files below the board's address, without slashes at both ends, such as `log`. */
export function logPathOf(origin: string): string {
  const generation = generationOf(origin);
  return generation === 1 ? 'log' : `log/${generation}`;
}
