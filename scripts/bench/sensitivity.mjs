// Measures how miscounted input changes the order of a board, on invented unequal operators. Every run gives the same
// numbers. --write stores them in the file that the page quotes.
import { readOptions, report, round, writeMeasured } from './lib.mjs';
import { randomOf } from '../random.mjs';
import {
  METHODS,
  SPREADS,
  normalOf,
  rankedByYield,
  scenario,
  simulatedDays,
  spreadName,
  standingOfDays,
} from './simulate.mjs';

const SEED = 1;
const OPERATORS = 200;
const DAYS = 30;
const TOP = 10;
/** That of version 2 of the ranking rules. */
const RANKING = METHODS['week-95, six tenths'];
const options = readOptions({ fields: 100, write: false });
const { fields } = options;

/** The errors, as factors of an operator's input on each day. */
const ERRORS = [
  {
    error: 'Every operator off by 10%, differently each day',
    factors: ({ normal }) => days(() => off(normal)),
  },
  {
    error: 'Every operator off by 10%, the same every day',
    factors: ({ normal }) => same(off(normal)),
  },
  { error: 'A tool used by half of them counts 10% too much', factors: ofHalf(1.1) },
  { error: 'A tool used by half of them counts twice as much', factors: ofHalf(2) },
  { error: 'A tool used by half of them counts ten times as much', factors: ofHalf(10) },
];
const CHANCE = 'No error, but 30 other days';

const ranks = SPREADS.map((spread) => ({ field: spreadName(spread), rows: rowsOf(spread) }));
for (const { field, rows } of ranks) {
  report(options, `${OPERATORS} operators, ${DAYS} days, mean of ${fields}: ${field}`, rows);
}
if (options.write) {
  const given = { seed: SEED, fields, operators: OPERATORS, days: DAYS, top: TOP };
  await writeMeasured('measured-sensitivity', { ...given, ranks });
}

/** For each error, the mean change of the order over all fields. */
function rowsOf(spread) {
  const random = randomOf(SEED);
  const normal = normalOf(random);
  const of = scenario('', spread);
  const found = [...ERRORS.map(() => []), []];
  for (let field = 0; field < fields; field += 1) {
    const skills = Array.from({ length: OPERATORS }, () => Math.exp(normal()));
    const usages = skills.map((skill) => simulatedDays(of, DAYS, random, skill));
    const right = placesOf(usages);
    ERRORS.forEach(({ factors }, column) => {
      const wrong = usages.map((usage, at) => miscounted(usage, factors({ at, normal })));
      found[column].push(changeBetween(right, placesOf(wrong)));
    });
    const others = skills.map((skill) => simulatedDays(of, DAYS, random, skill));
    found.at(-1).push(changeBetween(right, placesOf(others)));
  }
  const names = [...ERRORS.map(({ error }) => error), CHANCE];
  return names.map((error, column) => ({ error, ...meanOf(found[column]) }));
}

function days(factor) {
  return Array.from({ length: DAYS }, factor);
}

function same(factor) {
  return days(() => factor);
}

function off(normal) {
  return Math.exp(0.1 * normal());
}

function ofHalf(factor) {
  return ({ at }) => same(at % 2 === 0 ? factor : 1);
}

function miscounted(usage, factors) {
  return usage.map((day, at) => ({ ...day, input: Math.round(day.input * factors[at]) }));
}

/** Each operator's place on the board without ranking requirements; 0 is the first. */
function placesOf(usages) {
  const standings = usages.map((usage) => standingOfDays(usage, DAYS, RANKING.method));
  const places = [];
  const { ranked } = rankedByYield(standings, false, RANKING).conservative;
  ranked.forEach((at, place) => (places[at] = place));
  return places;
}

/** Kendall's tau, the mean places that an operator moves, and how many of the top ten stay there. */
function changeBetween(before, after) {
  let inverted = 0;
  for (let a = 0; a < OPERATORS; a += 1) {
    for (let b = 0; b < a; b += 1) {
      if (before[a] < before[b] !== after[a] < after[b]) inverted += 1;
    }
  }
  const pairs = (OPERATORS * (OPERATORS - 1)) / 2;
  const moved = before.reduce((sum, place, at) => sum + Math.abs(place - after[at]), 0);
  const stay = before.filter((place, at) => place < TOP && after[at] < TOP).length;
  return { tau: 1 - (2 * inverted) / pairs, moved: moved / OPERATORS, stay };
}

function meanOf(changes) {
  const mean = (of) => changes.reduce((sum, one) => sum + one[of], 0) / changes.length;
  return {
    tau: round(mean('tau'), 3),
    moved: round(mean('moved'), 1),
    stay: round(mean('stay'), 1),
  };
}
