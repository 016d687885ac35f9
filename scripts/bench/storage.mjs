// Measures where a board's bytes go, in KiB of each table for each operator: with a snapshot a day, with one snapshot
// of all days, and with a stored board of every day of a year.
//   --operators 200  --days 90   the operators, and the days that each submits
//   --kept 365                   the stored days
//   --only daily,whole,kept      measures only some of these boards
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { DAY_MS, dayName, utcDay } from '#core/domain/counting/day.ts';
import { Projection } from '#server/publication/projection.ts';
import { publishAndStore } from '#server/publication/publish.ts';
import { readOptions, report, round, withFolder } from './lib.mjs';
import {
  addOperators,
  bucketsOf,
  checkEverybody,
  openContext,
  operatorOf,
  submitDays,
} from './seed.mjs';

const BOARDS = {
  daily: { title: 'a snapshot a day', fill: submitDaily },
  whole: { title: 'one snapshot', fill: submitAtOnce },
  kept: { title: 'stored boards of a year', fill: submitAtOnce, isKept: true },
};

const options = readOptions({
  ...{ operators: 200, days: 90, kept: 365 },
  only: Object.keys(BOARDS).join(),
});
const { operators } = options;
const all = [...Array(operators).keys()];
const bytes = {};
for (const name of options.only.split(',')) {
  bytes[BOARDS[name].title] = await withFolder((folder) => measure(folder, BOARDS[name]));
}
reportBytes();

async function measure(dataDir, { fill, isKept = false }) {
  const days = isKept ? options.kept : options.days;
  const clock = { ms: Date.now() - (days - 1) * DAY_MS };
  const ctx = openContext(dataDir, { now: () => new Date(clock.ms) });
  addOperators(ctx, operators);
  fill(ctx, days, clock);
  checkEverybody(ctx);
  if (isKept) publishDaily(ctx, days, clock);
  ctx.store.close();
  return bytesIn(join(dataDir, 'opbench.sqlite'));
}

/** Each operator submits each day on that day. */
function submitDaily(ctx, days, clock) {
  const counts = all.map((number) => Map.groupBy(bucketsOf(number, days), ({ day }) => day));
  const lastMs = Date.now();
  for (clock.ms = lastMs - (days - 1) * DAY_MS; clock.ms <= lastMs; clock.ms += DAY_MS) {
    const day = utcDay(clock.ms);
    for (const number of all) {
      const buckets = counts[number].get(day) ?? [];
      ctx.store.transaction(() => submitDays(ctx, operatorOf(ctx, number), buckets));
    }
  }
  clock.ms = lastMs;
}

function submitAtOnce(ctx, days) {
  for (const number of all) {
    const buckets = bucketsOf(number, days);
    ctx.store.transaction(() => submitDays(ctx, operatorOf(ctx, number), buckets));
  }
}

/** Publishes once a day. Each publication stores the boards of the day before. */
function publishDaily({ store, ruleset }, days, clock) {
  const projection = new Projection(ruleset);
  const firstDay = Math.floor(clock.ms / DAY_MS);
  let last = null;
  for (let day = firstDay; day <= firstDay + days; day += 1) {
    last = publishAndStore(store, projection, Date.parse(dayName(day)), { last });
  }
}

/** The bytes of each table with its indexes, the file, and its free pages. */
function bytesIn(path) {
  const db = new Database(path);
  db.pragma('wal_checkpoint(TRUNCATE)');
  const rows = db
    .prepare(
      `SELECT tbl_name AS name, sum(pgsize) AS bytes FROM dbstat
       JOIN sqlite_schema USING (name) WHERE aggregate = TRUE GROUP BY tbl_name`,
    )
    .all();
  const page = db.pragma('page_size', { simple: true });
  const [free, file] = ['freelist_count', 'page_count'].map((name) => {
    return page * db.pragma(name, { simple: true });
  });
  db.close();
  const tables = Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]));
  return { ...tables, 'free pages': free, file };
}

function reportBytes() {
  const kept = Object.values(bytes);
  const most = (name) => Math.max(...kept.map((board) => board[name] ?? 0));
  const names = [...new Set(kept.flatMap((board) => Object.keys(board)))]
    .filter((name) => most(name) / operators >= 100)
    .sort((a, b) => most(b) - most(a));
  const rows = names.map((table) => {
    const cells = Object.entries(bytes).map(([title, board]) => {
      return [title, round((board[table] ?? 0) / 1024 / operators, 1)];
    });
    return { table, ...Object.fromEntries(cells) };
  });
  report({ ...options, markdown: true }, 'KiB for each operator', rows, {
    operators,
    days: options.days,
    'stored days': options.kept,
  });
}
