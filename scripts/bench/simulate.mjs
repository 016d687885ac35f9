// Invented operators with known true metrics, ranked by the product's own functions.
//
// A day of volume v (log-normal) has v x input share, v x output share and so on, each share log-normal too.
// `sigma` is the spread of the volume, `inputSigma` that of the input share; output, cache writes and
// cache reads have smaller spreads. The true value of a metric is the metric of the expected sums of the
// token types over the window.
import { rankContenders, rankingValue } from '#core/domain/board/board.ts';
import { DRAWN_IN } from '#core/domain/metrics/conservative.ts';
import { seriesOf } from '#core/domain/metrics/day-series.ts';
import { exactMetrics } from '#core/domain/metrics/metrics.ts';
import { RULESET, eligibilityIn } from '#core/domain/board/ruleset.ts';
import { standingOf } from '#core/domain/metrics/standing.ts';
import { HISTORY_DAYS } from '#core/domain/metrics/week-interval.ts';

const SOURCE = { tool: 'simulated', provider: 'simulated', model: 'simulated', trust: 'signed' };
/** The number of the first simulated day. */
export const FIRST = 20_000;
/** The median counts of a day with volume 1. */
const TYPICAL = { input: 20_000, output: 200_000, cache_write: 1_000_000, cache_read: 40_000_000 };
/** The spreads of the other token types. */
const OWN = { output: 0.5, cache_write: 0.5, cache_read: 0.8 };
const PILLARS = Object.keys(TYPICAL);

const EVEN = () => 1;

/** The spreads of volume and input in the three fields of the specification. */
export const SPREADS = [
  { sigma: 0.5, inputSigma: 0.5 },
  { sigma: 1, inputSigma: 1 },
  { sigma: 1, inputSigma: 1.5 },
];

const BURST = { probability: 0.05, volume: 10, share: 4 };
/** The input share is four times as large, or not, and switches every 15 days on average. */
const REGIME = { share: 4, switches: 1 / 15 };

/**
 * How intervals are computed, which number ranks, and which bounds are compared. `part` is how far the ranking number is
 * from the value to the lower bound, `drawn` how far the compared bounds are, both on the logarithmic scale of yield.
 */
export const METHODS = {
  'jackknife-95': { method: 'jackknife-95', part: 1, drawn: 1 },
  'week-95': { method: 'week-95', part: 1, drawn: DRAWN_IN },
  'week-95, six tenths': { method: 'week-95', part: 0.6, drawn: DRAWN_IN },
  'week-80': { method: 'week-80', part: 1, drawn: DRAWN_IN },
};
const [LEAVING_OUT_DAYS] = Object.values(METHODS);

/**
 * How an operator's days are generated. `rho` is the correlation of a day's logarithms with those of the day before.
 * `volume` and `share` are factors of the volume and the input share by the position of a day in the window. `burst`
 * is an occasional day with much more of both, `regime` a period with a larger input share, and `idle` the share of
 * days without tokens. `tail` is the index of a Pareto distribution that multiplies the volume.
 */
export const SCENARIOS = [
  ...SPREADS.map((spread) => scenario(spreadName(spread), spread)),
  scenario('correlated days, rho 0.5', { sigma: 1, inputSigma: 1, rho: 0.5 }),
  scenario('correlated days, rho 0.8', { sigma: 1, inputSigma: 1, rho: 0.8 }),
  scenario('weekends with a tenth of the volume and three times the input share', {
    sigma: 0.5,
    inputSigma: 0.5,
    volume: (day) => (isWeekend(day) ? 0.1 : 1),
    share: (day) => (isWeekend(day) ? 3 : 1),
  }),
  scenario('a trend: volume grows fourfold, input share falls to a third', {
    sigma: 0.5,
    inputSigma: 0.5,
    volume: (day, n) => 4 ** (day / n),
    share: (day, n) => 3 ** (-day / n),
  }),
  scenario('bursts: one day in twenty has ten times the volume and four times the input share', {
    sigma: 0.5,
    inputSigma: 0.5,
    burst: BURST,
  }),
  scenario('regimes: the input share is four times as large for 15 days on average, or not', {
    sigma: 0.5,
    inputSigma: 0.5,
    regime: REGIME,
  }),
  scenario('a heavy tail: volumes times a Pareto distribution of index 2.5', {
    sigma: 1,
    inputSigma: 1,
    tail: 2.5,
  }),
  scenario('a step: the input share doubles in the middle and stays', {
    sigma: 1,
    inputSigma: 1,
    share: (day, n) => (day < n / 2 ? 1 : 2),
  }),
  scenario('an office: no weekends, 15% of the days idle, rho 0.4', {
    sigma: 1,
    inputSigma: 1,
    rho: 0.4,
    isOffice: true,
    idle: 0.15,
  }),
  {
    name: 'people: a mix of spreads, correlations, bursts, regimes and free weekends',
    drawn: someone,
  },
];

/** The scenario of an operator, or one drawn at random. */
export function scenarioOf(of, random) {
  return of.drawn ? of.drawn(random) : of;
}

function someone(random) {
  const among = (from, to) => from + (to - from) * random();
  return scenario('someone', {
    sigma: among(0.4, 1.2),
    inputSigma: among(0.3, 1.3),
    rho: [0, 0.3, 0.6][Math.floor(3 * random())],
    isOffice: random() < 0.5,
    ...(random() < 0.2 && { burst: BURST }),
    ...(random() < 0.2 && { regime: REGIME }),
  });
}

export function spreadName({ sigma, inputSigma }) {
  return `independent days, spreads ${sigma} and ${inputSigma}`;
}

export function scenario(name, over) {
  const burst = { probability: 0, volume: 1, share: 1 };
  const even = {
    volume: EVEN,
    share: EVEN,
    burst,
    regime: null,
    tail: null,
    idle: 0,
    isOffice: false,
  };
  return { name, rho: 0, own: OWN, ...even, ...over };
}

/** A source of standard normal numbers, from numbers between 0 and 1. */
export function normalOf(random) {
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** The days of one operator. `skill` multiplies the cache reads, and with them the true yield. */
export function simulatedDays(of, n, random, skill = 1) {
  const normal = normalOf(random);
  const streams = Object.fromEntries(['volume', ...PILLARS].map((name) => [name, normal()]));
  const fresh = Math.sqrt(1 - of.rho ** 2);
  let isInRegime = of.regime !== null && random() < 0.5;
  const days = Array.from({ length: n }, (_, day) => {
    if (day > 0) {
      for (const name in streams) streams[name] = of.rho * streams[name] + fresh * normal();
    }
    if (of.regime && random() < of.regime.switches) isInRegime = !isInRegime;
    const regime = isInRegime ? of.regime.share : 1;
    const counts = countsOf(of, day, n, { streams, random, skill, regime });
    const isIdle = (of.isOffice && isWeekend(day)) || (of.idle > 0 && random() < of.idle);
    return isIdle ? null : { day: FIRST + day, source: SOURCE, ...counts };
  });
  return days.filter((day) => day !== null);
}

function countsOf(of, day, n, { streams, random, skill, regime }) {
  const { probability, ...more } = of.burst;
  const burst = random() < probability ? more : { volume: 1, share: 1 };
  const tail = of.tail === null ? 1 : (1 - random()) ** (-1 / of.tail);
  const volume = of.volume(day, n) * burst.volume * tail * Math.exp(of.sigma * streams.volume);
  const counts = Object.entries(TYPICAL).map(([pillar, typical]) => {
    const spread = pillar === 'input' ? of.inputSigma : of.own[pillar];
    const share = pillar === 'input' ? of.share(day, n) * burst.share * regime : 1;
    const better = pillar === 'cache_read' ? skill : 1;
    const count = typical * volume * share * better * Math.exp(spread * streams[pillar]);
    return [pillar, Math.round(count)];
  });
  return Object.fromEntries(counts);
}

/** The true metrics of an operator over n days. */
export function trueMetrics(of, n) {
  const { probability, volume, share } = of.burst;
  const ofVolume = 1 - probability + probability * volume;
  const ofRegime = of.regime === null ? 1 : (1 + of.regime.share) / 2;
  const ofInput = ofRegime * (1 - probability + probability * volume * share);
  const sums = { input: 0, output: 0, cache_write: 0, cache_read: 0 };
  for (let day = 0; day < n; day += 1) {
    for (const pillar of PILLARS) {
      const isInput = pillar === 'input';
      const spread = isInput ? of.inputSigma : of.own[pillar];
      const rhythm = of.volume(day, n) * (isInput ? of.share(day, n) * ofInput : ofVolume);
      sums[pillar] += TYPICAL[pillar] * rhythm * Math.exp((of.sigma ** 2 + spread ** 2) / 2);
    }
  }
  return exactMetrics(sums);
}

/** The standing over all of an operator's days. */
export function simulatedStanding(of, n, random, { skill, method } = {}) {
  return drawn(() => standingOfDays(simulatedDays(of, n, random, skill), n, method));
}

/** The standing over the last n days of an operator who has as many days as spreads are computed from. */
export function establishedStanding(of, n, random, method) {
  const first = FIRST + HISTORY_DAYS - n;
  return drawn(() => {
    const series = seriesOf(simulatedDays(of, HISTORY_DAYS, random));
    return standingOf(series, first, first + n - 1, { ...RULESET, interval: method });
  });
}

/** The first standing that is not null: seven days of an office can all be idle. */
function drawn(draw) {
  for (;;) {
    const standing = draw();
    if (standing) return standing;
  }
}

/** Whether all days of an operator are alike in the long run, so that the true value is that of any window. */
export function isSteady({ drawn, volume, share }) {
  return drawn !== undefined || (volume === EVEN && share === EVEN);
}

/** Pads days with days of a single token up to a number. */
export function paddedTo(all, days) {
  const more = Array.from({ length: all - days.length }, (_, at) => {
    const day = FIRST + days.length + at;
    return { day, source: SOURCE, input: 0, output: 1, cache_write: 0, cache_read: 0 };
  });
  return [...days, ...more];
}

export function standingOfDays(days, n, method) {
  return standingOf(seriesOf(days), FIRST, FIRST + n, { ...RULESET, interval: method });
}

/** A field's board by yield. `isAsked` applies the conditions of the ruleset. */
export function rankedByYield(standings, isAsked, { part, drawn }) {
  const asked = eligibilityIn(RULESET, '30d');
  const towards = (value, bound, share) => value * (bound / value) ** share;
  const boundsOf = (at) =>
    standings.map(({ metrics, intervals }) => {
      return towards(metrics.yield, intervals.yield[at] ?? Number.POSITIVE_INFINITY, drawn);
    });
  const bounds = { lows: boundsOf(0), highs: boundsOf(1) };
  const totals = standings.map(({ bases }) => bases.all.total);
  const rank = (numberOf) => {
    const isRanked = (one) => !isAsked || rankingValue(one, 'yield', asked) !== null;
    const lows = standings.map((one) => (isRanked(one) ? numberOf(one) : Number.NaN));
    return rankContenders({ lows, bounds, totals });
  };
  return {
    plain: rank(({ metrics }) => metrics.yield),
    conservative: rank(({ metrics, intervals }) => {
      return towards(metrics.yield, intervals.yield[0], part);
    }),
  };
}

const FIELD = { operators: 200, thin: 40, thinDays: 7, days: 30, top: 10 };

/**
 * How many of the top ten places are held by the 40 operators with 7 of 30 days, among 200 equally good operators. Two
 * of ten would be fair. With padding, they have sent a single token on each of the other days.
 */
export function thinAmongTop(
  spread,
  random,
  { isAsked, isPadded = false, ranking = LEAVING_OUT_DAYS },
) {
  const { method } = ranking;
  const of = scenario('', spread);
  const standings = Array.from({ length: FIELD.operators }, (_, at) => {
    if (at >= FIELD.thin) return simulatedStanding(of, FIELD.days, random, { method });
    const days = simulatedDays(of, FIELD.thinDays, random);
    return standingOfDays(isPadded ? paddedTo(FIELD.days, days) : days, FIELD.days, method);
  });
  const { plain, conservative } = rankedByYield(standings, isAsked, ranking);
  const thinIn = ({ ranked }) => ranked.slice(0, FIELD.top).filter((at) => at < FIELD.thin).length;
  return { plain: thinIn(plain), conservative: thinIn(conservative) };
}

function isWeekend(day) {
  return day % 7 > 4;
}
