// Measures the space and time of stored days. Stores the same boards as every day of a year, with thinning, in which
// the board's slices have the counts of 120 days.
//   --operators 2000
//   --days 365           the stored days
import Database from 'better-sqlite3';
import { dayName, dayNumber, utcDay } from '#core/domain/counting/day.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import { databasePath } from '#server/config/config.ts';
import { dayRows } from '#server/publication/project/day-rows.ts';
import { slicesOf } from '#core/domain/board/slices.ts';
import { keepDay, thinEarlierDays } from '#server/publication/project/keep-days.ts';
import { Projection } from '#server/publication/projection.ts';
import { readOptions, report, round, withFolder } from './lib.mjs';
import { openContext, operatorOf, seedBoard } from './seed.mjs';

const options = readOptions({ operators: 2000, days: 365 });

await withFolder(async (folder) => {
  const ctx = openContext(folder);
  seedBoard(ctx, { operators: options.operators, days: 120 });
  const { slices, keepMs } = keepYear(ctx);
  const costs = {
    ...sizesOf(ctx, slices),
    'storing a day, ms': keepMs,
    ...timesOf(ctx, slices[0]),
  };
  ctx.store.close();
  const rows = Object.entries(costs).map(([cost, value]) => ({ cost, value: round(value, 2) }));
  report(options, `${options.days} stored days with ${slices.length} slices`, rows, {});
});

/** Stores the current boards under the names of the last days, and thins them as the server does. */
function keepYear({ store, ruleset, config }) {
  const today = utcDay(Date.now());
  const projection = new Projection(ruleset);
  projection.refresh(store, today, true);
  const state = projection.project();
  const rowsOf = (slice) => dayRows(state, slice);
  const startedMs = performance.now();
  for (let ago = options.days; ago > 0; ago -= 1) {
    const as_of = dayName(dayNumber(today) - ago);
    const head = { as_of, log_index: 1, ruleset: ruleset.id, generated_at: `${as_of}T23:59:00Z` };
    keepDay(store, head, state, rowsOf);
    thinEarlierDays(store, today, config.valuesDays);
  }
  return { slices: slicesOf(state), keepMs: (performance.now() - startedMs) / options.days };
}

function sizesOf({ store, config }, slices) {
  store.erasure.checkpoint();
  const db = new Database(databasePath(config), { readonly: true });
  const bytes = (...names) => {
    const list = names.map((name) => `'${name}'`).join();
    return db.prepare(`SELECT sum(pgsize) FROM dbstat WHERE name IN (${list})`).pluck().get();
  };
  const places = bytes('day_places', 'day_places_by_chunk', 'sqlite_autoindex_day_places_1');
  const values = bytes('day_values', 'sqlite_autoindex_day_values_1');
  const days = db.prepare('SELECT count(DISTINCT day) FROM day_values').pluck().get();
  db.close();
  const rows = options.operators * slices.length;
  return {
    'places, bytes an operator, slice and day': places / rows / options.days,
    'values, bytes an operator, slice and day': values / rows / days,
    'days with values': days,
    'all days, kB an operator': (places + values) / 1000 / options.operators,
  };
}

function timesOf({ store }, slice) {
  const day = dayName(dayNumber(utcDay(Date.now())) - 1);
  const { keptDays, erasure } = store;
  const { operator_id } = operatorOf({ store }, 0);
  const span = { ...slice, window: '30d', metric: 'yield', from: '', to: day };
  return {
    'reading the ranks of 20 boards, ms': timed(() => {
      const places = keptDays.places(day, slice);
      for (const window of WINDOWS) for (const metric of METRIC_NAMES) places.ranks(window, metric);
    }),
    'reading one chunk with values, ms': timed(() => keptDays.chunk(day, slice, 1)),
    "reading an operator's ranks on all days, ms": timed(() => keptDays.ranksOf(operator_id, span)),
    'erasing an operator, ms': timed(() => {
      while (store.transaction(() => erasure.step(operator_id)));
    }),
  };
}

function timed(work) {
  const startedMs = performance.now();
  work();
  return performance.now() - startedMs;
}
