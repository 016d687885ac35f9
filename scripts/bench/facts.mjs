// Measures what readers on other machines need in addition to the publication: sizes of objects, the time to find out what
// changed, and the time until a working copy answers.
//   --operators 1000
//   --days 90            the days of each operator
//   --kept 60            the stored days
import { dayName, dayNumber, utcDay } from '#core/domain/counting/day.ts';
import { operatorViewOf } from '#core/domain/board/operator-view.ts';
import { slicesOf } from '#core/domain/board/slices.ts';
import { findOperatorPage } from '#server/board/operator-page.ts';
import { readFrontPage } from '#server/board/board-page.ts';
import { readIndex, writeIndex } from '#server/facts/facts-index.ts';
import { planFacts } from '#server/facts/plan-facts.ts';
import { WorkingCopy } from '#server/facts/working-copy.ts';
import { migrationsPath } from '#server/config/config.ts';
import { dayRows } from '#server/publication/project/day-rows.ts';
import { keepDay, thinEarlierDays } from '#server/publication/project/keep-days.ts';
import { Projection } from '#server/publication/projection.ts';
import { publishAndStore } from '#server/publication/publish.ts';
import { earlierRanksIn } from '#server/publication/read/earlier-ranks.ts';
import { publicationOf } from '#server/publication/read/publication.ts';
import { readOptions, report, round, withFolder } from './lib.mjs';
import { bucketsOf, codenameOf, openContext, operatorOf, seedBoard, submitDays } from './seed.mjs';

const options = readOptions({ operators: 1000, days: 90, kept: 60 });
const { operators, days } = options;
const objects = new Map();

await withFolder(async (folder) => {
  const ctx = openContext(folder, { now: () => new Date() });
  seedBoard(ctx, { operators, days });
  keepDays(ctx);
  const data = publishAndStore(ctx.store, new Projection(ctx.ruleset), Date.now());
  const costs = { ...planned(ctx), ...(await readCosts(ctx, data)) };
  ctx.store.close();
  const rows = Object.entries(costs).map(([cost, value]) => ({ cost, value: round(value, 2) }));
  report(options, `Facts of ${operators} operators`, rows, {});
});

/** Stores the current boards under the names of the last days. */
function keepDays({ store, ruleset, config }) {
  const today = utcDay(Date.now());
  const projection = new Projection(ruleset);
  projection.refresh(store, today, true);
  const state = projection.project();
  for (let ago = options.kept; ago > 0; ago -= 1) {
    const as_of = dayName(dayNumber(today) - ago);
    const head = { as_of, log_index: 1, ruleset: ruleset.id, generated_at: `${as_of}T23:59:00Z` };
    keepDay(store, head, state, (slice) => dayRows(state, slice));
    thinEarlierDays(store, today, config.valuesDays);
  }
  if (slicesOf(state).length === 0) throw new Error('There are no boards');
}

/** Exports everything, then what 1% of the operators changed, then nothing. */
function planned({ store, ...ctx }) {
  const plan = (before) => {
    const put = [];
    let longest = 0;
    const startedMs = performance.now();
    const steps = planFacts({ store, before, settings: {}, files: [] });
    for (;;) {
      const stepMs = performance.now();
      const { done, value } = steps.next();
      longest = Math.max(longest, performance.now() - stepMs);
      if (done) return { ...value, put, longest, ms: performance.now() - startedMs };
      if (value) put.push(value);
    }
  };
  const whole = plan(null);
  const changed = Math.ceil(operators / 100);
  store.transaction(() => {
    for (let at = 0; at < changed; at += 1) {
      const number = at * 97;
      submitDays(
        { store, ...ctx },
        operatorOf({ store }, number % operators),
        bucketsOf(number % operators, 1, 1.1),
      );
    }
  });
  const next = plan(whole.index);
  const nothing = plan(next.index);
  for (const { key, bytes } of [...whole.put, ...next.put]) objects.set(key, bytes);
  const index = writeIndex(next.index);
  objects.set(index.key, index.bytes);
  const kb = (prefix) =>
    sum(whole.put.filter(({ key }) => key.startsWith(`facts/${prefix}`))) / 1000;
  return {
    'index, kB': index.bytes.length / 1000,
    'board, kB': kb('board'),
    'names, kB': kb('names'),
    'an operator, bytes': (kb('operators') * 1000) / operators,
    'places of a day, kB': kb('days') / options.kept,
    'values, kB': kb('values'),
    'ranks, kB': kb('ranks'),
    objects: whole.put.length,
    'all objects, kB': sum(whole.put) / 1000,
    'all: ms': whole.ms,
    'all: longest step, ms': whole.longest,
    '1% changed: ms': next.ms,
    '1% changed: longest step, ms': next.longest,
    '1% changed: objects': next.put.length,
    '1% changed: kB': sum(next.put) / 1000,
    'nothing changed: ms': nothing.ms,
  };
}

function sum(list) {
  return list.reduce((bytes, object) => bytes + object.bytes.length, 0);
}

/** Starts a reader, whose objects are in memory. */
async function readCosts(ctx, data) {
  const [indexKey] = [...objects.keys()].filter((key) => key.startsWith('facts/index/'));
  const times = [];
  const timed = async (work) => {
    const startedMs = performance.now();
    await work();
    times.push(performance.now() - startedMs);
  };
  let copy;
  const get = async (key) => objects.get(key) ?? null;
  await timed(() => {
    copy = new WorkingCopy({ migrations: migrationsPath(ctx.config), now: ctx.now, get });
  });
  await timed(async () => copy.use(readIndex(indexKey, objects.get(indexKey))));
  const { store } = copy;
  const publication = publicationOf(data, {
    refreshMs: 300_000,
    earlier: (as_of) => earlierRanksIn(store, as_of),
  });
  const reader = { ...ctx, store, publications: { current: () => publication } };
  await timed(() => copy.complete(() => readFrontPage(reader).details()));
  const view = operatorViewOf(new URLSearchParams());
  await timed(() => copy.complete(() => findOperatorPage(reader, codenameOf(7), view)));
  await timed(() => copy.complete(() => findOperatorPage(reader, codenameOf(8), view)));
  copy.close();
  const names = ['empty copy', 'index in use', 'front page', 'first operator page', 'next one'];
  return Object.fromEntries(names.map((name, at) => [`${name}, ms`, times[at]]));
}
