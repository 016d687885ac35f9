// The plausibility checks on generated accounts: how many honest ones they would ever hold, of which they aim below
// 1 in 200, and which kinds of dishonest ones they find. Each account sends its first month at once and then
// each day by itself, as devices do; what is found on any of these occasions counts.
import { fieldOf, usualDays } from '../../src/core/domain/day-outlier.ts';
import { dayVector, equalDays, nearVectors } from '../../src/core/domain/equal-days.ts';
import { findingsOf } from '../../src/core/domain/plausibility.ts';
import { readOptions, report, round } from './lib.mjs';
import { accountDays, randomOf } from './plausible-accounts.mjs';

const DAYS = 90;
const FIRST = 30;
const CHECKS = ['output_rate', 'day_outlier', 'input_share', 'reads_without_writes'];
const options = readOptions({
  operators: { type: 'string', default: '10000' },
  dishonest: { type: 'string', default: '1000' },
  seed: { type: 'string', default: '1' },
});
const random = randomOf(Number(options.seed));

const honest = Array.from({ length: Number(options.operators) }, () => accountDays(random, DAYS));
const field = fieldOf(honest.flatMap((days) => usualDays(days)));
const known = knownVectors(honest);

/** Kinds of cheating: what an honest account's days become, or another's. */
const KINDS = {
  'cache reads x10, all days': (days) => days.map((day) => readsTimes(day, 10)),
  'cache reads x10, last 10 days': (days) => ofLast(days, 10, (day) => readsTimes(day, 10)),
  'cache reads x1000, last 10 days': (days) => ofLast(days, 10, (day) => readsTimes(day, 1000)),
  'input cut to 1 %, all days': (days) => days.map(shaved),
  'input cut to 1 %, last 10 days': (days) => ofLast(days, 10, shaved),
  'one day x100': (days) => oneDay(days, 100),
  'one day x10000': (days) => oneDay(days, 10_000),
  'copy of another account': () => copyOf(1),
  'copy within 0.4 %': () => copyOf(1.004),
  'copy, 3 % more': () => copyOf(1.03),
  'the same made-up day, always': () => constantDays(),
};

const rows = [measure('honest', honest.map(found))];
for (const [kind, cheat] of Object.entries(KINDS)) {
  const accounts = Array.from({ length: Number(options.dishonest) }, () =>
    cheat(accountDays(random, DAYS)),
  );
  rows.push(measure(kind, accounts.map(found)));
}
report(options, `plausibility checks, ${options.operators} honest operators, ${DAYS} days`, rows, {
  'honest, held by check': byCheck(honest.map(found), 'hold'),
  'honest, noted by check': byCheck(honest.map(found), 'note'),
});

function measure(accounts, findings) {
  const held = findings.filter((own) => [...own.values()].includes('hold')).length;
  const noted = findings.filter((own) => own.size > 0).length - held;
  const [low, high] = wilson(held, findings.length);
  const percent = (share) => round(100 * share, 2);
  return {
    accounts,
    n: findings.length,
    'held %': percent(held / findings.length),
    'from %': percent(low),
    'to %': percent(high),
    'only noted %': percent(noted / findings.length),
  };
}

/** The graver verdict of each check that ever said something. */
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

function byCheck(findings, verdict) {
  const counts = [...CHECKS, 'equal_vectors'].map((check) => [
    check,
    findings.filter((own) => own.get(check) === verdict).length,
  ]);
  return Object.fromEntries(counts);
}

/** The honest accounts with each vector. */
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

/** What another account's equal days come to, if there is one. */
function copiesAnother(days, account) {
  const others = new Set();
  for (const day of days) {
    if (!dayVector(day)) continue;
    for (const vector of nearVectors(day)) {
      for (const other of known.get(vector) ?? []) if (honest[other] !== days) others.add(other);
    }
  }
  const own = days.map((day) => ({ ...day, since: 2 + account }));
  for (const other of others) {
    const theirs = honest[other].map((day) => ({ ...day, since: 1 }));
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

function times(day, factor) {
  const count = (value) => (value === null ? null : Math.round(value * factor));
  return {
    ...day,
    input: count(day.input),
    output: count(day.output),
    cache_write: count(day.cache_write),
    cache_read: count(day.cache_read),
  };
}

function ofLast(days, count, change) {
  return days.map((day) => (day.number >= DAYS - count ? change(day) : day));
}

function oneDay(days, factor) {
  const { number } = days[Math.floor(random.uniform() * days.length)];
  return days.map((day) => (day.number === number ? times(day, factor) : day));
}

/** Each pillar is moved by up to the factor, so that it is no mere copy. */
function copyOf(factor) {
  const days = honest[Math.floor(random.uniform() * honest.length)];
  return days.map((day) => times(day, factor));
}

function constantDays() {
  const day = { tool: 'claude-code', input: 900, output: 90_000, cache_write: 900_000 };
  const noise = 0.5 + random.uniform();
  return Array.from({ length: DAYS }, (_, number) => ({
    ...times({ ...day, cache_read: 30_000_000 }, noise),
    number,
    day: dayOf(number),
  }));
}

function dayOf(number) {
  return new Date(Date.UTC(2026, 0, 1) + number * 86_400_000).toISOString().slice(0, 10);
}

/** The interval that a share of `count` in `n` is compatible with, 95 %. */
function wilson(count, n) {
  const z = 1.96;
  const share = count / n;
  const middle = share + (z * z) / (2 * n);
  const width = z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  return [middle - width, middle + width].map((end) => Math.max(0, end / (1 + (z * z) / n)));
}
