// Tests the plausibility checks on generated accounts: how many honest ones they put on hold (the target is below
// 1 in 200), and which kinds of dishonest ones they find. Each account sends its first month at once and then day by
// day, as devices do. A finding at any of these times counts. --write stores the numbers in the file that the pages
// quote.
import { fieldOf, usualDays } from '#core/domain/checks/day-outlier.ts';
import { dayVector, equalDays, nearVectors } from '#core/domain/checks/equal-days.ts';
import { findingsOf } from '#core/domain/checks/plausibility.ts';
import { readOptions, report, round, writeMeasured } from './lib.mjs';
import { accountDays, countsOf, dayOf, drawsOf, steppedDays } from './plausible-accounts.mjs';

const DAYS = 90;
const FIRST = 30;
const CHECKS = [
  'output_rate',
  'day_outlier',
  'input_share',
  'hidden_input',
  'reads_without_writes',
  'reads_per_write',
  'repeated_days',
  'round_counts',
  'round_series',
  'equal_vectors',
];
/** `held_before` is without these. */
const SECOND_ROUND = ['reads_per_write', 'repeated_days', 'round_counts', 'round_series'];
const options = readOptions({ operators: 10_000, dishonest: 1000, seed: 1, write: false });
const random = drawsOf(options.seed);

const ONE_TOKEN = {
  input: 1,
  output: 1,
  cache_write: 0,
  cache_read: 1,
  silent: { input: 0, output: 0 },
};

const honest = Array.from({ length: options.operators }, () => accountDays(random, DAYS));
const field = fieldOf(honest.flatMap((days) => usualDays(days)));
const known = knownVectors(honest);

/** Kinds of cheating, as the page names them. Each changes the days of an honest account. */
const KINDS = {
  'ten times the cache reads on all days': (days) => days.map((day) => readsTimes(day, 10)),
  'ten times the cache reads in the last 10 days': (days) =>
    ofLast(days, 10, (day) => readsTimes(day, 10)),
  'a thousand times the cache reads in the last 10 days': (days) =>
    ofLast(days, 10, (day) => readsTimes(day, 1000)),
  'input cut to 1% on all days': (days) => days.map(shaved),
  'input cut to 1% in the last 10 days': (days) => ofLast(days, 10, shaved),
  'one day with a hundred times the tokens': (days) => oneDay(days, 100),
  'one day with ten thousand times the tokens': (days) => oneDay(days, 10_000),
  'input hidden in rows that report no cache': (days) => days.map(hidden),
  'one token of fresh input a day': (days) => days.map((day) => ({ ...day, input: 1 })),
  "a copy of another account's days": () => copyOf(1),
  'a copy with another tool and no cache writes': () => renamed(copyOf(1)),
  'a copy, shifted by a day': () => shifted(copyOf(1)),
  'a copy, changed by 0.4%': () => copyOf(1.004),
  'a copy, changed by 3%': () => copyOf(1.03),
  'the same invented day, repeated': () => constantDays(),
  'invented days that vary like real ones': () => constantDays().map((day) => varied(day, 0.4)),
  'a hundred times the cache reads on all days': (days) => days.map((day) => readsTimes(day, 100)),
  'ten times the cache reads on all days, then changed by up to 3%': (days) =>
    days.map((day) => changed(readsTimes(day, 10), 0.03)),
  'ten times the output on all days': (days) =>
    days.map((day) => ({ ...day, output: day.output * 10 })),
  'a day of one token after each day': (days) => doubled(days, (day) => [day, ONE_TOKEN]),
  'a day of 1% after each day': (days) => doubled(days, (day) => [day, times(day, 0.01)]),
  'each day split in halves, the second on the next day': (days) => doubled(days, halves),
  'each day split in halves, then changed by up to 0.1%': (days) =>
    doubled(days, halves).map((day) => changed(day, 0.001)),
  'each day submitted twice, again on the next day': (days) => doubled(days, (day) => [day, day]),
  'each month submitted twice, again in the next month': (days) => monthsTwice(days),
  'each day spread over five': (days) => spread(days, 5, (day) => Array(5).fill(times(day, 0.2))),
  'all days made equal': (days) => equalized(days),
  'a day with 10 times the tokens and a tenth of the input': (days) => inventedDay(days, 10),
  'a day with 100 times the tokens and a tenth of the input': (days) => inventedDay(days, 100),
  'the worst fifth of the days withheld': (days) => withoutWorst(days),
};

const ofHonest = measure('honest', honest.map(found));
const stepped = [10, 30, 100].map((factor) => {
  const accounts = Array.from({ length: options.dishonest }, () =>
    steppedDays(random, DAYS, factor),
  );
  return measure(`honest, but ${factor} times as much after some day`, accounts.map(found));
});
const dishonest = [];
for (const [kind, cheat] of Object.entries(KINDS)) {
  const accounts = Array.from({ length: options.dishonest }, () =>
    cheat(accountDays(random, DAYS)),
  );
  dishonest.push(measure(kind, accounts.map(found)));
}
const title = `plausibility checks, ${options.operators} honest operators, ${DAYS} days, % of accounts`;
const rows = [ofHonest, ...stepped, ...dishonest].map(({ held_by, noted_by, ...row }) => ({
  ...row,
  held_by: checksText(held_by),
  noted_by: checksText(noted_by),
}));
report(options, title, rows);
if (options.write) {
  await writeMeasured('measured-checks', { honest: ofHonest, stepped, dishonest });
}

function measure(accounts, findings) {
  const held = findings.filter((own) => isHeld(own)).length;
  const before = findings.filter((own) => isHeld(own, SECOND_ROUND)).length;
  const noted = findings.filter((own) => own.size > 0).length - held;
  const [low, high] = wilson(held, findings.length);
  const percent = (share) => round(100 * share, 2);
  return {
    accounts,
    n: findings.length,
    held: percent(held / findings.length),
    from: percent(low),
    to: percent(high),
    only_noted: percent(noted / findings.length),
    held_before: percent(before / findings.length),
    held_by: byCheck(findings, 'hold'),
    noted_by: byCheck(findings, 'note'),
  };
}

/** The more serious verdict of each check with a finding. */
function found(days, account) {
  const verdicts = new Map();
  const note = ({ check, verdict }) => {
    if (verdict === 'hold' || !verdicts.has(check)) verdicts.set(check, verdict);
  };
  for (let until = FIRST; until <= DAYS; until += 1) {
    const sent = days
      .filter(({ number }) => number < until)
      .map((day) => ({ ...day, isNew: until === FIRST || day.number === until - 1 }));
    findingsOf(sent, field).forEach(note);
  }
  const copied = copiesAnother(days, account);
  if (copied) note(copied);
  return verdicts;
}

/** In which percentage of accounts each check has this verdict, for those that ever do. */
function byCheck(findings, verdict) {
  const shares = CHECKS.map((check) => {
    const count = findings.filter((own) => own.get(check) === verdict).length;
    return [check, round((100 * count) / findings.length, 2)];
  });
  return Object.fromEntries(shares.filter(([, share]) => share > 0));
}

function isHeld(own, without = []) {
  return [...own].some(([check, verdict]) => verdict === 'hold' && !without.includes(check));
}

/** The honest accounts that have each vector. */
function knownVectors(accounts) {
  const vectors = new Map();
  accounts.forEach((days, account) => {
    for (const day of days) {
      const vector = dayVector(day)?.vector;
      if (vector === undefined) continue;
      const owners = vectors.get(vector);
      if (owners) owners.push(account);
      else vectors.set(vector, [account]);
    }
  });
  return vectors;
}

/** The days of another account with the same vectors, if there is one. */
function copiesAnother(days, account) {
  const others = new Set();
  for (const day of days) {
    if (!dayVector(day)) continue;
    for (const vector of nearVectors(day)) {
      for (const other of known.get(vector) ?? []) if (honest[other] !== days) others.add(other);
    }
  }
  const own = days.map((day) => ({ ...day, since: 2 + account, earlier: [] }));
  for (const other of others) {
    const theirs = honest[other].map((day) => ({ ...day, since: 1, earlier: [] }));
    const equal = equalDays(own, theirs);
    if (equal) return equal.finding;
  }
  return null;
}

function readsTimes(day, factor) {
  if (day.cache_read === null) return day;
  return { ...day, cache_read: day.cache_read * factor };
}

function shaved(day) {
  return { ...day, input: Math.max(1, Math.round(day.input / 100)) };
}

function hidden(day) {
  if (day.cache_read === null) return day;
  const input = Math.max(1, Math.round(day.input / 100));
  return { ...day, silent: { input: day.input - input, output: 0 } };
}

function renamed(days) {
  return days.map((day) => ({ ...day, tool: `my-${day.tool}`, cache_write: null }));
}

function shifted(days) {
  return days.map((day) => ({ ...day, day: dayOf(day.number + 1) }));
}

function times(day, factor) {
  return { ...day, ...countsOf(day, (count) => Math.round(count * factor)) };
}

function ofLast(days, count, change) {
  return days.map((day) => (day.number >= DAYS - count ? change(day) : day));
}

function oneDay(days, factor) {
  const { number } = days[Math.floor(random.uniform() * days.length)];
  return days.map((day) => (day.number === number ? times(day, factor) : day));
}

/** Changes each token count by up to the factor, so that it is not an exact copy. */
function copyOf(factor) {
  const days = honest[Math.floor(random.uniform() * honest.length)];
  return days.map((day) => times(day, factor));
}

function constantDays() {
  const silent = { input: 0, output: 0 };
  const day = { tool: 'claude-code', silent, input: 900, output: 90_000, cache_write: 900_000 };
  const noise = 0.5 + random.uniform();
  return Array.from({ length: DAYS }, (_, number) => ({
    ...times({ ...day, cache_read: 30_000_000 }, noise),
    number,
    day: dayOf(number),
  }));
}

/** Changes each count by up to a share of it. */
function changed(day, share) {
  const one = (count) => Math.round(count * (1 + share * (2 * random.uniform() - 1)));
  return { ...day, ...countsOf(day, one) };
}

function varied(day, width) {
  return {
    ...day,
    ...countsOf(day, (count) => Math.round(count * Math.exp(width * random.normal()))),
  };
}

/** Makes several days of each. So that they fit, only the first days of the account are used. */
function spread(days, count, partsOf) {
  const numbered = days.map((day) => ({ day, number: count * (day.number - days[0].number) }));
  return numbered
    .filter(({ number }) => number + count <= DAYS)
    .flatMap(({ day, number }) => partsOf(day).map((part, at) => onDay(part, day, number + at)));
}

function doubled(days, partsOf) {
  return spread(days, 2, partsOf);
}

/** The counts of one day under the date of another, with its tool. */
function onDay(part, { tool, cache_read, cache_write }, number) {
  const reported = (count, of) => (of === null ? null : count);
  return {
    ...part,
    tool,
    cache_read: reported(part.cache_read, cache_read),
    cache_write: reported(part.cache_write, cache_write),
    number,
    day: dayOf(number),
  };
}

function halves(day) {
  const first = times(day, 0.5);
  return [first, { ...day, ...countsOf(day, (count) => Math.floor(count / 2)) }];
}

function monthsTwice(days) {
  const moved = spread(days, 1, (day) => [day]);
  const first = moved.filter(({ number }) => number < FIRST);
  return [...first, ...first.map((day) => onDay(day, day, day.number + FIRST))];
}

function equalized(days) {
  return [...Map.groupBy(days, ({ tool }) => tool).values()].flatMap((same) => {
    const meanOf = (name) => same.reduce((sum, day) => sum + (day[name] ?? 0), 0) / same.length;
    const means = Object.keys(countsOf(same[0], (count) => count)).map((name) => {
      return [name, same[0][name] === null ? null : Math.round(meanOf(name))];
    });
    return same.map((day) => ({ ...day, ...Object.fromEntries(means) }));
  });
}

function inventedDay(days, factor) {
  const { number } = days[Math.floor(random.uniform() * days.length)];
  return days.map((day) => {
    if (day.number !== number) return day;
    return { ...times(day, factor), input: Math.max(1, Math.round(day.input / 10)) };
  });
}

function withoutWorst(days) {
  const yieldOf = ({ input, output, cache_read }) => ((cache_read ?? 1) * output) / input ** 2;
  const sorted = days.toSorted((a, b) => yieldOf(a) - yieldOf(b));
  const worst = new Set(sorted.slice(0, Math.floor(days.length / 5)));
  return days.filter((day) => !worst.has(day));
}

function checksText(shares) {
  const found = Object.entries(shares).sort(([, a], [, b]) => b - a);
  return found.map(([check, share]) => `${check} ${share}`).join(', ') || '-';
}

/** The 95% interval of the share `count` / `n`. */
function wilson(count, n) {
  const z = 1.96;
  const share = count / n;
  const middle = share + (z * z) / (2 * n);
  const width = z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  return [middle - width, middle + width].map((end) => Math.max(0, end / (1 + (z * z) / n)));
}
