// Measures how reliable intervals and ranks are, on invented operators with known true values. Every run gives
// the same numbers. --write stores them in the file that the pages quote. --method names another way to compute them:
// week-95, week-80, or 'week-95, six tenths'.
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { median, readOptions, report, round, writeMeasured } from './lib.mjs';
import { randomOf } from '../random.mjs';
import {
  METHODS,
  SCENARIOS,
  SPREADS,
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
const OPERATORS = 200;
/** Output and caches that follow the volume more closely than usual. */
const STEADY = { output: 0.3, cache_write: 0.3, cache_read: 0.3 };
const PADDED = { real: 3, window: 7 };
const options = readOptions({
  ...{ rounds: 10_000, fields: 1000, write: false },
  method: 'jackknife-95',
});
const { rounds, fields } = options;
const { method, part } = methodNamed(options);
const bestFields = Math.ceil(fields / 4);

const coverage = SCENARIOS.map((of) => ({
  scenario: of.name,
  ...byMetric(DAYS.map((days) => coverageOf(of, days))),
}));
const thin = [
  ...SPREADS.map((spread) => thinOf(spreadName(spread), spread)),
  ...SPREADS.map((spread) =>
    thinOf(`${spreadName(spread)}, steadier output and caches`, { ...spread, own: STEADY }),
  ),
];
const padding = SPREADS.map(paddingOf);
const first = SPREADS.flatMap((spread) => DAYS.map((days) => firstOf(spread, days)));
print();
if (options.write) {
  const numbers = { seed: SEED, rounds, fields, bestFields, operators: OPERATORS };
  await writeMeasured('measured-coverage', {
    ...numbers,
    days: DAYS,
    coverage,
    thin,
    padding,
    first,
  });
}

/** The pages quote the method of the product. */
function methodNamed({ method: name, write }) {
  const found = METHODS[name];
  if (!found) throw new Error(`Unknown method ${name}. Use: ${Object.keys(METHODS).join('; ')}`);
  if (write && name !== 'jackknife-95') throw new Error('--write takes no other --method');
  return found;
}

/** How often each metric's interval contains the true value, and its median width. */
function coverageOf(of, days) {
  const random = randomOf(SEED);
  const held = METRIC_NAMES.map(() => 0);
  const widths = METRIC_NAMES.map(() => []);
  for (let at = 0; at < rounds; at += 1) {
    const operator = scenarioOf(of, random);
    const truth = trueMetrics(operator, days);
    const { metrics, intervals } = simulatedStanding(operator, days, random, { method });
    METRIC_NAMES.forEach((metric, column) => {
      const [low, high] = intervals[metric];
      if (low <= truth[metric] && truth[metric] <= (high ?? Infinity)) held[column] += 1;
      widths[column].push(((high ?? Infinity) - low) / metrics[metric]);
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
function thinOf(field, spread) {
  const mean = (how) => {
    const random = randomOf(SEED);
    const all = Array.from({ length: fields }, () =>
      thinAmongTop(spread, random, { ...how, method, part }),
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
function paddingOf(spread) {
  const random = randomOf(SEED);
  const times = Array.from({ length: rounds }, () => {
    const days = simulatedDays(scenario('', spread), PADDED.real, random);
    const lowOf = (all) => standingOfDays(all, PADDED.window, method).intervals.yield[0];
    return lowOf(paddedTo(PADDED.window, days)) / lowOf(days);
  });
  return { field: spreadName(spread), times: Number(median(times).toPrecision(3)) };
}

/** In fields of unequal operators: how often the first row, or its rank range, has the truly best one. */
function firstOf(spread, days) {
  const random = randomOf(SEED);
  const normal = normalOf(random);
  const of = scenario('', spread);
  const found = Array.from({ length: bestFields }, () => {
    const skills = Array.from({ length: OPERATORS }, () => Math.exp(normal()));
    const standings = skills.map((skill) => simulatedStanding(of, days, random, { skill, method }));
    const { ranked, ranks, worst } = rankedByYield(standings, false, part).conservative;
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

function print() {
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
      `${metric}: the interval of ${options.method} contains the true value, ${held}`,
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
    `40 of 200 equal operators with 7 of 30 days: places in the top ten, mean of ${fields}`,
    rows,
  );
  report(options, 'Lower bound of three real days of seven, padded / not', padding);
  report(options, `The truly best of ${OPERATORS}, ${bestFields} fields`, first);
}
