// Measures how reliable intervals and ranks are, on invented operators with known true values. Every run gives
// the same numbers. It measures both versions of the ranking rules, or the other method that --method names: week-95 or
// week-80. --write stores the numbers in the file that the pages quote.
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { HISTORY_DAYS } from '#core/domain/metrics/week-interval.ts';
import { median, readOptions, report, round, writeMeasured } from './lib.mjs';
import { randomOf } from '../random.mjs';
import {
  METHODS,
  SCENARIOS,
  SPREADS,
  establishedStanding,
  isSteady,
  normalOf,
  paddedTo,
  rankedByYield,
  scenario,
  scenarioOf,
  simulatedDays,
  simulatedStanding,
  spreadName,
  standingOfDays,
  thinAmongTop,
  trueMetrics,
} from './simulate.mjs';

const SEED = 1;
const DAYS = [7, 14, 30, 90];
/** The windows that are shorter than the history. Operators who are not new have days before them. */
const SHORT = [7, 30];
const OPERATORS = 200;
/** Output and caches that follow the volume more closely than usual. */
const STEADY = { output: 0.3, cache_write: 0.3, cache_read: 0.3 };
const PADDED = { real: 3, window: 7 };
/** How each version of the ranking rules computes intervals and ranks. */
const VERSIONS = ['jackknife-95', 'week-95, six tenths'];
const options = readOptions({ rounds: 10_000, fields: 1000, method: '', write: false });
const { rounds, fields } = options;
const bestFields = Math.ceil(fields / 4);

const versions = methodsNamed(options).map((method, at) => {
  const measured = measuredBy(METHODS[method]);
  print(method, measured);
  return { version: at + 1, ...measured };
});
const established = {
  history: HISTORY_DAYS,
  days: SHORT,
  coverage: SCENARIOS.filter(isSteady).map(establishedOf),
};
printEstablished(established.coverage);
if (options.write) {
  const sizes = { seed: SEED, rounds, fields, bestFields, operators: OPERATORS, days: DAYS };
  const numbers = { ...sizes, established };
  await writeMeasured('measured-coverage', { ...numbers, versions });
}

/** The pages quote the methods of the product. */
function methodsNamed({ method, write }) {
  if (method === '') return VERSIONS;
  if (!METHODS[method]) {
    throw new Error(`Unknown method ${method}. Use: ${Object.keys(METHODS).join('; ')}`);
  }
  if (write) throw new Error('--write takes no --method');
  return [method];
}

function measuredBy(ranking) {
  const coverage = SCENARIOS.map((of) => ({
    scenario: of.name,
    ...byMetric(DAYS.map((days) => coverageOf(of, days, ranking))),
  }));
  const thin = [
    ...SPREADS.map((spread) => thinOf(spreadName(spread), spread, ranking)),
    ...SPREADS.map((spread) => {
      const field = `${spreadName(spread)}, steadier output and caches`;
      return thinOf(field, { ...spread, own: STEADY }, ranking);
    }),
  ];
  const padding = SPREADS.map((spread) => paddingOf(spread, ranking));
  const first = SPREADS.flatMap((spread) => DAYS.map((days) => firstOf(spread, days, ranking)));
  return { coverage, thin, padding, first };
}

/** The coverage and median width of yield by weeks for operators who have days before the window. */
function establishedOf(of) {
  const measured = SHORT.map((days) => {
    const random = randomOf(SEED);
    let held = 0;
    const widths = Array.from({ length: rounds }, () => {
      const operator = scenarioOf(of, random);
      const truth = trueMetrics(operator, days).yield;
      const { metrics, intervals } = establishedStanding(operator, days, random, 'week-95');
      if (doesHold(intervals.yield, truth)) held += 1;
      return widthOf(intervals.yield, metrics.yield);
    });
    return { held: round(held / rounds, 4), width: Number(median(widths).toPrecision(3)) };
  });
  const column = (name) => measured.map((one) => one[name]);
  return { scenario: of.name, held: column('held'), width: column('width') };
}

/** Without an interval, the value can be any. */
function doesHold(interval, truth) {
  const [low, high] = interval ?? [-Infinity, null];
  return low <= truth && truth <= (high ?? Infinity);
}

/** As a multiple of the value. */
function widthOf(interval, value) {
  const [low, high] = interval ?? [-Infinity, null];
  return ((high ?? Infinity) - low) / value;
}

/** How often each metric's interval contains the true value, and its median width. */
function coverageOf(of, days, { method }) {
  const random = randomOf(SEED);
  const held = METRIC_NAMES.map(() => 0);
  const widths = METRIC_NAMES.map(() => []);
  for (let at = 0; at < rounds; at += 1) {
    const operator = scenarioOf(of, random);
    const truth = trueMetrics(operator, days);
    const { metrics, intervals } = simulatedStanding(operator, days, random, { method });
    METRIC_NAMES.forEach((metric, column) => {
      if (doesHold(intervals[metric], truth[metric])) held[column] += 1;
      widths[column].push(widthOf(intervals[metric], metrics[metric]));
    });
  }
  return {
    held: held.map((count) => round(count / rounds, 4)),
    width: widths.map((all) => Number(median(all).toPrecision(3))),
  };
}

/** For each metric, a number for each count of days. */
function byMetric(ofDays) {
  const table = (of) =>
    Object.fromEntries(METRIC_NAMES.map((name, at) => [name, ofDays.map((one) => one[of][at])]));
  return { held: table('held'), width: table('width') };
}

/**
 * The mean number of small samples among the top ten, ranked by value and by conservative value, with and without
 * the ruleset, and when they are padded with days of a single token.
 */
function thinOf(field, spread, ranking) {
  const mean = (how) => {
    const random = randomOf(SEED);
    const all = Array.from({ length: fields }, () =>
      thinAmongTop(spread, random, { ...how, ranking }),
    );
    const meanOf = (of) => round(all.reduce((sum, one) => sum + one[of], 0) / fields, 2);
    return { plain: meanOf('plain'), conservative: meanOf('conservative') };
  };
  return {
    field,
    anyone: mean({ isAsked: false }),
    ruleset: mean({ isAsked: true }),
    padded: mean({ isAsked: true, isPadded: true }).conservative,
  };
}

/** How much days of a single token raise the lower bound of yield, with three real days of seven, at the median. */
function paddingOf(spread, { method }) {
  const random = randomOf(SEED);
  const times = Array.from({ length: rounds }, () => {
    const days = simulatedDays(scenario('', spread), PADDED.real, random);
    const lowOf = (all) => standingOfDays(all, PADDED.window, method).intervals.yield[0];
    return lowOf(paddedTo(PADDED.window, days)) / lowOf(days);
  });
  return { field: spreadName(spread), times: Number(median(times).toPrecision(3)) };
}

/** In fields of unequal operators: how often the first row, or its rank range, has the truly best one. */
function firstOf(spread, days, ranking) {
  const { method } = ranking;
  const random = randomOf(SEED);
  const normal = normalOf(random);
  const of = scenario('', spread);
  const found = Array.from({ length: bestFields }, () => {
    const skills = Array.from({ length: OPERATORS }, () => Math.exp(normal()));
    const standings = skills.map((skill) => simulatedStanding(of, days, random, { skill, method }));
    const { ranked, ranks, worst } = rankedByYield(standings, false, ranking).conservative;
    const best = ranked.indexOf(skills.indexOf(Math.max(...skills)));
    return {
      isInside: ranks[best] <= worst[0],
      isFirst: best === 0,
      isInTen: ranks[best] <= 10,
      places: worst[0],
    };
  });
  const share = (of) => round(found.filter(of).length / found.length, 3);
  return {
    field: spreadName(spread),
    days,
    bestInside: share(({ isInside }) => isInside),
    bestFirst: share(({ isFirst }) => isFirst),
    bestInTen: share(({ isInTen }) => isInTen),
    places: median(found.map(({ places }) => places)),
  };
}

/** The standard error of a share near the nominal level. */
function errorOf(share, of) {
  return round(Math.sqrt((share * (1 - share)) / of), 4);
}

function print(method, { coverage, thin, padding, first }) {
  const held = `% of ${rounds}; width / value`;
  const rest = { 'standard error at 95%': errorOf(0.95, rounds) };
  for (const metric of METRIC_NAMES) {
    const rows = coverage.map((of) => {
      const cells = DAYS.map((days, at) => {
        return [
          `${days} days`,
          `${(of.held[metric][at] * 100).toFixed(1)} ${of.width[metric][at]}`,
        ];
      });
      return { scenario: of.scenario, ...Object.fromEntries(cells) };
    });
    report(
      options,
      `${metric}: the interval of ${method} contains the true value, ${held}`,
      rows,
      rest,
    );
  }
  const rows = thin.map(({ field, anyone, ruleset, padded }) => ({
    field,
    plain: anyone.plain,
    conservative: anyone.conservative,
    'plain, ruleset': ruleset.plain,
    'conservative, ruleset': ruleset.conservative,
    padded,
  }));
  report(
    options,
    `40 of 200 equal operators with 7 of 30 days: places in the top ten by ${method}, mean of ${fields}`,
    rows,
  );
  report(options, `Lower bound of ${method} of three real days of seven, padded / not`, padding);
  report(options, `The truly best of ${OPERATORS} by ${method}, ${bestFields} fields`, first);
}

function printEstablished(coverage) {
  const rows = coverage.map(({ scenario, held, width }) => {
    const cells = SHORT.map((days, at) => {
      return [`${days} days`, `${(100 * held[at]).toFixed(1)} ${width[at]}`];
    });
    return { scenario, ...Object.fromEntries(cells) };
  });
  report(
    options,
    `yield: the interval of week-95 contains the true value of operators with ${HISTORY_DAYS} days, % of ${rounds}; width / value`,
    rows,
  );
}
