// Invented operators with known true metrics, ranked by the product's own functions.
//
// A day of volume v (log-normal) has v x input share, v x output share and so on, each share log-normal too.
// `sigma` is the spread of the volume, `inputSigma` that of the input share; output, cache writes and
// cache reads have smaller spreads. The true value of a metric is the metric of the expected sums of the
// token types over the window.
import { rankContenders, rankingValue } from '#core/domain/board/board.ts';
import { seriesOf } from '#core/domain/metrics/day-series.ts';
import { exactMetrics } from '#core/domain/metrics/metrics.ts';
import { RULESET, eligibilityIn } from '#core/domain/board/ruleset.ts';
import { standingOf } from '#core/domain/metrics/standing.ts';

const SOURCE = { tool: 'simulated', provider: 'simulated', model: 'simulated', trust: 'signed' };
const FIRST = 20_000;
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

/**
 * How an operator's days are generated. `rho` is the correlation of a day's logarithms with those of the day before.
 * `volume` and `share` are factors of the volume and the input share by the position of a day in the window. `burst`
 * is an occasional day with much more of both.
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
    burst: { probability: 0.05, volume: 10, share: 4 },
  }),
];

export function spreadName({ sigma, inputSigma }) {
  return `independent days, spreads ${sigma} and ${inputSigma}`;
}

export function scenario(name, over) {
  const burst = { probability: 0, volume: 1, share: 1 };
  return { name, rho: 0, volume: EVEN, share: EVEN, burst, own: OWN, ...over };
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
  return Array.from({ length: n }, (_, day) => {
    if (day > 0) {
      for (const name in streams) streams[name] = of.rho * streams[name] + fresh * normal();
    }
    return {
      day: FIRST + day,
      source: SOURCE,
      ...countsOf(of, day, n, { streams, random, skill }),
    };
  });
}

function countsOf(of, day, n, { streams, random, skill }) {
  const { probability, ...more } = of.burst;
  const burst = random() < probability ? more : { volume: 1, share: 1 };
  const volume = of.volume(day, n) * burst.volume * Math.exp(of.sigma * streams.volume);
  const counts = Object.entries(TYPICAL).map(([pillar, typical]) => {
    const spread = pillar === 'input' ? of.inputSigma : of.own[pillar];
    const share = pillar === 'input' ? of.share(day, n) * burst.share : 1;
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
  const ofInput = 1 - probability + probability * volume * share;
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
  return standingOfDays(simulatedDays(of, n, random, skill), n, method);
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
  return standingOf(seriesOf(days), FIRST, FIRST + n, RULESET.active_day_tokens, method);
}

/** A field's board by yield. `isAsked` applies the conditions of the ruleset. */
export function rankedByYield(standings, isAsked) {
  const asked = eligibilityIn(RULESET, '30d');
  const rank = (values) =>
    rankContenders({
      lows: values.map((value) => value ?? Number.NaN),
      highs: standings.map(({ intervals }) => intervals.yield?.[1] ?? Number.POSITIVE_INFINITY),
      totals: standings.map(({ bases }) => bases.all.total),
    });
  const isRanked = (one) => !isAsked || rankingValue(one, 'yield', asked) !== null;
  return {
    plain: rank(standings.map((one) => (isRanked(one) ? one.metrics.yield : null))),
    conservative: rank(standings.map((one) => (isRanked(one) ? one.intervals.yield[0] : null))),
  };
}

const FIELD = { operators: 200, thin: 40, thinDays: 7, days: 30, top: 10 };

/**
 * How many of the top ten places are held by the 40 operators with 7 of 30 days, among 200 equally good operators. Two
 * of ten would be fair. With padding, they have sent a single token on each of the other days.
 */
export function thinAmongTop(spread, random, { isAsked, isPadded = false }) {
  const of = scenario('', spread);
  const standings = Array.from({ length: FIELD.operators }, (_, at) => {
    if (at >= FIELD.thin) return simulatedStanding(of, FIELD.days, random);
    const days = simulatedDays(of, FIELD.thinDays, random);
    return standingOfDays(isPadded ? paddedTo(FIELD.days, days) : days, FIELD.days);
  });
  const { plain, conservative } = rankedByYield(standings, isAsked);
  const thinIn = ({ ranked }) => ranked.slice(0, FIELD.top).filter((at) => at < FIELD.thin).length;
  return { plain: thinIn(plain), conservative: thinIn(conservative) };
}

function isWeekend(day) {
  return day % 7 > 4;
}
