/** The results of `scripts/bench/coverage.mjs`, for both versions of the ranking rules. */
import { whole } from '../text/format.ts';
import MEASURED from './measured-coverage.json' with { type: 'json' };

const { versions, ...simulated } = MEASURED;

/** The size of the simulation. */
export const SIMULATED = simulated;

export type Simulated = (typeof versions)[number];

/** The results under a version of the ranking rules. */
export function simulatedIn(version: number): Simulated {
  const found = versions.find((one) => one.version === version);
  if (!found) throw new Error(`No simulation of ranking rules, version ${version}`);
  return found;
}

/** How often the interval of yield contains the true value in some cases. @example `83% to 90%` */
export function heldText(version: number, cases = /./): string {
  const rows = simulatedIn(version).coverage.filter(({ scenario }) => cases.test(scenario));
  const percents = rows.flatMap(({ held }) => held.yield.map((share) => 100 * share));
  return `${whole(Math.min(...percents))}% to ${whole(Math.max(...percents))}%`;
}
