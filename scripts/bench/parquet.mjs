// Measures the Parquet export of seeded boards: bytes, time and memory.
//   --operators 1000,10000    the sizes
//   --days 90                 the history of each operator
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryPathOf } from '#server/process/atomic-file.ts';
import { writeParquet } from '#server/parquet/write-parquet.ts';
import { readOptions, report, round, withFolder } from './lib.mjs';
import { BASE_URL, openContext, seedBoard } from './seed.mjs';

const MB = 1_000_000;
const options = readOptions({ operators: '1000,10000', days: 90 });
const results = [];
for (const operators of options.operators.split(',').map(Number)) {
  await withFolder((folder) => measure(folder, operators));
}
report(options, 'Parquet export', results);

async function measure(folder, operators) {
  const dataDir = join(folder, 'board');
  mkdirSync(dataDir);
  const ctx = openContext(dataDir);
  seedBoard(ctx, { operators, days: options.days });
  const before = process.memoryUsage().rss;
  let most = before;
  const sampling = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 5);
  const path = join(folder, 'counts.parquet');
  const source = { store: ctx.store, baseUrl: BASE_URL, ruleset: ctx.ruleset.id, now: ctx.now() };
  const startedMs = performance.now();
  const { rows } = await writeParquet(source, { path, draft: temporaryPathOf(path), over: false });
  const seconds = (performance.now() - startedMs) / 1000;
  clearInterval(sampling);
  const { size } = statSync(path);
  results.push({
    operators,
    days: options.days,
    rows,
    MB: round(size / MB, 2),
    'bytes per row': round(size / rows, 1),
    seconds: round(seconds, 2),
    'memory added, MB': round((most - before) / MB, 0),
  });
  ctx.store.close();
}
