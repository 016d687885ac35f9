// Measures what the standings of an operator with 90 days cost over 7, 30 and 90 days, under both versions of the ranking
// rules, in turns.
import { RULESET, RULESET_2 } from '#core/domain/board/ruleset.ts';
import { seriesOf } from '#core/domain/metrics/day-series.ts';
import { standingOf } from '#core/domain/metrics/standing.ts';
import { firstDayOf } from '#core/domain/metrics/window.ts';
import { interleave, median, medianRatio, readOptions, report, round } from './lib.mjs';
import { randomOf } from '../random.mjs';
import { FIRST, SCENARIOS, simulatedDays } from './simulate.mjs';

const DAYS = 90;
const LAST = FIRST + DAYS - 1;
const WINDOWS = ['7d', '30d', '90d'];
const [, UNEVEN] = SCENARIOS;
const options = readOptions({ operators: 2000, rounds: 30 });
const random = randomOf(1);
const operators = Array.from({ length: options.operators }, () => {
  return simulatedDays(UNEVEN, DAYS, random);
});

/** Processor time in microseconds for each operator. */
function costUnder(rules) {
  // New sums in each round, because spreads are remembered by them.
  const all = operators.map((days) => seriesOf(days));
  const before = process.cpuUsage();
  for (const series of all) {
    for (const window of WINDOWS) standingOf(series, firstDayOf(window, LAST), LAST, rules);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / options.operators;
}

const costs = await interleave(options.rounds, {
  'version 1': () => costUnder(RULESET),
  'version 2': () => costUnder(RULESET_2),
});
const rows = Object.entries(costs).map(([rules, all]) => {
  return { rules, 'microseconds per operator': round(median(all), 1) };
});
const ratio = medianRatio(costs['version 2'], costs['version 1']);
report(options, 'Standings over 7, 30 and 90 days', rows, { ratio: round(ratio, 2) });
