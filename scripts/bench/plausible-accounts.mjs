// Honest accounts. No real ones were available, so these vary widely.
import { dayName, dayNumber } from '#core/domain/counting/day.ts';
import { randomOf } from '../random.mjs';
import { aJob, jobDay } from './plausible-jobs.mjs';
import { normalOf } from './simulate.mjs';

const FIRST_DAY = dayNumber('2026-01-01');
/** The output of one stream in a day with hardly any pause. */
const STREAM_DAY = 100 * 72_000;

/** A source of random numbers with a seed. */
export function drawsOf(seed) {
  const uniform = randomOf(seed);
  return { uniform, normal: normalOf(uniform), chance: (share) => uniform() < share };
}

/** What tools log: shares of a day's tokens, whether they report the cache, and the blocks that it consists of. */
const TOOLS = [
  {
    tool: 'claude-code',
    popularity: 0.6,
    perRequest: 12,
    context: 80_000,
    writes: 0.05,
    output: 0.006,
  },
  {
    tool: 'codex',
    popularity: 0.3,
    perRequest: 4_000,
    context: 60_000,
    writes: null,
    output: 0.01,
    block: 128,
  },
  { tool: 'plain', popularity: 0.1, perRequest: null, context: 20_000, writes: null, output: 0.1 },
];

/** An account's days with each tool: log-normal, with everything that makes days differ. */
export function accountDays(random, days, person = aPerson(random, days)) {
  const rows = [];
  let drift = 0;
  for (let number = 0; number < days; number += 1) {
    // Consecutive days are similar.
    drift = 0.4 * drift + Math.sqrt(1 - 0.4 ** 2) * random.normal();
    const ofDay = [...jobRows(random, person, number), ...ownRows(random, person, number, drift)];
    rows.push(...ofDay.map((row) => statedDay(row, number)));
  }
  if (rows.length === 0) return accountDays(random, days);
  const stated = oneOfEachTool(rows).map((row) => rounded(row, person.rounding));
  return person.continues ? continued(random, stated) : stated;
}

function jobRows(random, { job, begins }, number) {
  const row = job && number >= begins ? jobDay(random, job, number) : null;
  return row ? [row] : [];
}

function ownRows(random, person, number, drift) {
  if (person.job?.isAlone || isAway(random, person, number)) return [];
  const total = dayTotal(random, person, { number, drift });
  return toolsOn(person, number).map((used) => ownRow(random, person, { ...used, total }));
}

function dayTotal(random, person, { number, drift }) {
  // A day with one or two short questions.
  if (random.chance(person.short)) return Math.exp(Math.log(20_000) + 0.5 * random.normal());
  const growth = person.growth * number;
  const burst = person.bursts && random.chance(0.04) ? 1 + 2 * random.uniform() : 0;
  const rest = number % 7 >= 5 ? person.weekend : 0;
  const step = number >= person.steps ? person.step : 0;
  return Math.exp(person.volume + growth + person.spread * drift + burst + rest + step);
}

function ownRow(random, { capacity, devices }, { habit, total, share }) {
  const most = capacity * share * (0.8 + 0.2 * random.uniform());
  const day = within(most, toolDay(random, habit, total * share));
  if (devices === 1) return day;
  // Of what a second device has too, the part counts that its 15 hashes do not show on the first one.
  const part = Math.ceil(15 * random.uniform()) / 15;
  const second = within(most, toolDay(random, habit, total * share * random.uniform()));
  return added(day, { ...second, ...countsOf(second, (count) => Math.floor(count * part)) });
}

function statedDay(row, number) {
  return { ...row, silent: { input: 0, output: 0 }, number, day: dayOf(number), isNew: true };
}

/** A person and a job can use the same tool. */
function oneOfEachTool(rows) {
  const byPlace = Map.groupBy(rows, ({ number, tool }) => `${number} ${tool}`);
  return [...byPlace.values()].map((same) => same.reduce(added));
}

function added(day, other) {
  const counts = Object.entries(countsOf(day, (count) => count));
  const sums = counts.map(([name, count]) => [name, count === null ? null : count + other[name]]);
  return { ...day, ...Object.fromEntries(sums) };
}

/** What a tool reports that rounds all of its counts. */
function rounded(day, to) {
  return { ...day, ...countsOf(day, (count) => Math.round(count / to) * to) };
}

/** Some tools log a session again, whole or in part, when it is continued on another day. */
function continued(random, days) {
  return days.map((day, at) => {
    const before = days[at - 1];
    if (before?.tool !== day.tool || !random.chance(0.04)) return day;
    if (random.chance(0.3)) return { ...day, ...countsOf(before, (count) => count) };
    const part = random.uniform();
    return added(
      day,
      countsOf(before, (count) => Math.round(count * part)),
    );
  });
}

/** Days of an operator whose volume grows by a factor on some day and stays there, as with a new job. */
export function steppedDays(random, days, factor) {
  const steps = Math.floor(random.uniform() * days);
  return accountDays(random, days, { ...aPerson(random, days), step: Math.log(factor), steps });
}

/** A few hardly use the tool, and a few run it day and night. */
function volumeOf(size) {
  if (size < 0.05) return [30_000, 1];
  return size > 0.98 ? [1.2e9, 0.5] : [15e6, 1.3];
}

function aPerson(random, days) {
  const size = random.uniform();
  const [median, width] = volumeOf(size);
  const isSteady = random.chance(0.05);
  const first = aHabit(random, isSteady);
  // The output never exceeds what the models can write.
  const streams = Math.max(1, 3 * Math.exp(0.8 * random.normal()));
  return {
    capacity: streams * STREAM_DAY,
    volume: Math.log(median) + width * random.normal(),
    spread: isSteady ? 0.1 : 0.5 + random.uniform(),
    growth: 0.008 * random.normal(),
    bursts: random.chance(0.3),
    weekend: random.chance(0.7) ? -1.5 : 0,
    weekendsOff: random.chance(0.5) ? 0.8 : 0.1,
    idle: 0.3 * random.uniform(),
    vacation: random.chance(0.3) ? Math.floor(random.uniform() * days) : -days,
    begins: random.chance(0.3) ? Math.floor(random.uniform() * 60) : 0,
    first,
    second: random.chance(0.25) ? aHabit(random) : null,
    switches: Math.floor(random.uniform() * days),
    keepsBoth: random.chance(0.5),
    step: random.chance(0.06) ? Math.log([10, 30, 100][Math.floor(3 * random.uniform())]) : 0,
    steps: Math.floor(random.uniform() * days),
    ...quirksOf(random),
  };
}

/** What makes the counts of some accounts repeat or end in zeros. */
function quirksOf(random) {
  return {
    job: random.chance(0.05) ? aJob(random, TOOLS) : null,
    devices: random.chance(0.1) ? 2 : 1,
    short: random.chance(0.5) ? 0.15 * random.uniform() : 0,
    continues: random.chance(0.03),
    rounding: random.chance(0.003) ? 10 ** Math.ceil(3 * random.uniform()) : 1,
  };
}

/** How a person uses a tool. */
function aHabit(random, isSteady = false) {
  const size = random.uniform();
  const kind = size < 0.6 ? TOOLS[0] : size < 0.9 ? TOOLS[1] : TOOLS[2];
  const like = (value, width) => value && value * Math.exp(width * random.normal());
  return {
    ...kind,
    perRequest: like(kind.perRequest, 0.9),
    context: Math.min(1e6, like(kind.context, 0.5)),
    writes: like(kind.writes, 0.3),
    output: Math.min(0.3, like(kind.output, 0.5)),
    noise: isSteady ? 0.03 + 0.05 * random.uniform() : 0.2 + 0.5 * random.uniform(),
  };
}

function isAway(random, { begins, vacation, weekendsOff, idle }, number) {
  if (number < begins || (number >= vacation && number < vacation + 14)) return true;
  return random.chance(number % 7 >= 5 ? weekendsOff : idle);
}

function toolsOn({ first, second, switches, keepsBoth }, number) {
  if (!second || second.tool === first.tool || number < switches) {
    return [{ habit: first, share: 1 }];
  }
  if (!keepsBoth) return [{ habit: second, share: 1 }];
  return [
    { habit: first, share: 0.5 },
    { habit: second, share: 0.5 },
  ];
}

function toolDay(random, habit, total) {
  const { tool, perRequest, context, writes, output, noise, block = 1 } = habit;
  const varied = (value) => Math.round(value * Math.exp(noise * random.normal()));
  const written = Math.min(Math.round(total / 2), varied(total * output));
  if (perRequest === null) {
    const input = Math.max(1, Math.round(total - written));
    return { tool, input, output: written, cache_write: null, cache_read: null };
  }
  const requests = Math.max(1, Math.round(total / (context * Math.exp(0.3 * random.normal()))));
  const input = Math.max(requests, varied(requests * perRequest));
  const cache_write = writes === null ? null : varied(total * writes);
  const read = Math.max(0, total - written - input - (cache_write ?? 0));
  const cache_read = block * Math.round(read / block);
  return { tool, input, output: written, cache_write, cache_read };
}

/** The day, scaled down if its output is too high. */
function within(capacity, day) {
  if (day.output <= capacity) return day;
  const part = (count) => Math.max(1, Math.floor((count / day.output) * capacity));
  return { tool: day.tool, ...countsOf(day, part) };
}

/** A day's counts, all changed except null. */
export function countsOf({ input, output, cache_write, cache_read }, change) {
  const counts = Object.entries({ input, output, cache_write, cache_read });
  return Object.fromEntries(
    counts.map(([name, count]) => [name, count === null ? null : change(count)]),
  );
}

/** The UTC day with this number; 0 is the first. */
export function dayOf(number) {
  return dayName(FIRST_DAY + number);
}
