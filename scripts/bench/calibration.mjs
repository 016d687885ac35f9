// Measures how often two parts of simulated histories agree within their intervals, as boards do with real ones, and
// how often the interval of the whole history contains the true value. Every run gives the same numbers. --write
// stores them in the file that the page quotes.
import { calibrate } from '#core/domain/board/calibration.ts';
import { RULESET } from '#core/domain/board/ruleset.ts';
import { seriesOf } from '#core/domain/metrics/day-series.ts';
import { median, readOptions, report, round, writeMeasured } from './lib.mjs';
import { randomOf } from '../random.mjs';
import {
  FIRST,
  SCENARIOS,
  scenarioOf,
  simulatedDays,
  standingOfDays,
  trueMetrics,
} from './simulate.mjs';

const SEED = 1;
const DAYS = 90;
const METRICS = ['yield', 'leverage', 'velocity'];
const options = readOptions({ rounds: 10_000, write: false });
const { rounds } = options;

const NAMES = /^independent days, spreads 1 and 1$|^correlated|^regimes|^people/;
const cases = SCENARIOS.filter(({ name }) => NAMES.test(name)).map(measured);

for (const metric of METRICS) {
  const rows = cases.map(({ scenario, methods }) => {
    const columns = methods.flatMap((of) => [
      [of.method, of[metric].percent],
      [`${of.method}, true value`, of.held[metric]],
    ]);
    const { operators } = methods[0][metric];
    return { case: scenario, operators, ...Object.fromEntries(columns) };
  });
  report(
    options,
    `${metric}: days 1 to 60 and 61 to 90 agree, and the interval of 90 days contains the true value, %`,
    rows,
    { 'standard error at 95%': round(100 * Math.sqrt((0.95 * 0.05) / rounds), 1) },
  );
}
const microseconds = median(cases.map(({ tookMs }) => (1000 * tookMs) / rounds));
report(options, 'Cost', [{ 'microseconds per operator': round(microseconds) }]);

if (options.write) {
  const all = cases.map(({ scenario, methods }) => ({
    scenario,
    methods: methods.map(({ method, yield: { percent: agreed }, held: { yield: held } }) => {
      return { method, agreed, held };
    }),
  }));
  await writeMeasured('measured-calibration', { seed: SEED, rounds, cases: all });
}

function measured(of) {
  const random = randomOf(SEED);
  const operators = Array.from({ length: rounds }, () => {
    const drawn = scenarioOf(of, random);
    return { days: simulatedDays(drawn, DAYS, random), truth: trueMetrics(drawn, DAYS) };
  });
  const series = operators.map(({ days }) => seriesOf(days));
  const startedMs = performance.now();
  const { methods } = calibrate(series, { last: FIRST + DAYS - 1, ruleset: RULESET });
  const tookMs = performance.now() - startedMs;
  const held = methods.map((one) => ({ ...one, held: heldBy(operators, one.method) }));
  return { scenario: of.name, methods: held, tookMs };
}

/** How often the intervals contain the true values, in percent. */
function heldBy(operators, method) {
  const all = operators.map(({ days, truth }) => {
    const { intervals } = standingOfDays(days, DAYS, method);
    return METRICS.map((metric) => {
      const [low, high] = intervals[metric];
      return low <= truth[metric] && truth[metric] <= (high ?? Infinity);
    });
  });
  const shareOf = (column) => all.filter((one) => one[column]).length / rounds;
  return Object.fromEntries(
    METRICS.map((metric, column) => [metric, round(100 * shareOf(column), 1)]),
  );
}
