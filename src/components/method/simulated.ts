/** The results of `scripts/bench/coverage.mjs`, for both versions of the ranking rules. */
import { capitalised, fixed, whole } from '../text/format.ts';
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
  return rangeText(rows.flatMap(({ held }) => held.yield));
}

/** The same of operators with days before the window, under version 2. */
export function establishedText(cases: RegExp): string {
  const rows = simulated.established.coverage.filter(({ scenario }) => cases.test(scenario));
  return rangeText(rows.flatMap(({ held }) => held));
}

/**
 * How often the interval contains the true value of operators with days before the window, and how wide it is, worst cases
 * first. In parentheses: without days before the window.
 */
export function establishedTable() {
  const { history, days, coverage } = simulated.established;
  const columns = days.map((length) => simulated.days.indexOf(length));
  const newcomers = simulatedIn(2).coverage;
  return {
    caption: `Operators with ${history} days, under version 2: how often the 95% interval of yield contains the true value, in percent, and its median width as a multiple of the value. In parentheses: without days before the window.`,
    head: ['Case', ...days.flatMap((length) => [`${length} days`, 'Width'])],
    rows: coverage
      .toSorted((a, b) => Math.min(...a.held) - Math.min(...b.held))
      .map(({ scenario, held, width }) => {
        const without = newcomers.find((row) => row.scenario === scenario);
        const cells = columns.flatMap((column, at) => [
          both(100 * (held[at] ?? 0), 100 * (without?.held.yield[column] ?? 0)),
          both(width[at] ?? 0, without?.width.yield[column] ?? 0),
        ]);
        return [capitalised(scenario), ...cells];
      }),
  };
}

function both(value: number, without: number): string {
  return `${fixed(value, 1)} (${fixed(without, 1)})`;
}

function rangeText(shares: readonly number[]): string {
  const percents = shares.map((share) => 100 * share);
  return `${whole(Math.min(...percents))}% to ${whole(Math.max(...percents))}%`;
}
