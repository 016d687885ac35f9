// Measures the daily Parquet file of seeded boards, written in a thread as the server does: bytes, time, memory, and the
// longest delay of requests.
//   --operators 1000,10000    the sizes
//   --days 90                 the history of each operator
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { databasePath, migrationsPath, parquetPath } from '#server/config/config.ts';
import { parquetThread } from '#server/parquet/parquet-thread.ts';
import { keepThreadsSmall } from '#server/process/memory-settings.ts';
import { readOptions, report, round, withFolder } from './lib.mjs';
import { openContext, seedBoard } from './seed.mjs';

const MB = 1_000_000;
const SOURCE = new URL('../../src/server/parquet/worker.ts', import.meta.url);

keepThreadsSmall();
const options = readOptions({ operators: '1000,10000', days: 90 });
const results = [];
for (const operators of options.operators.split(',').map(Number)) {
  await withFolder((folder) => measure(folder, operators));
}
report(options, 'Parquet export', results);

async function measure(folder, operators) {
  const ctx = openContext(join(folder, 'board'));
  seedBoard(ctx, { operators, days: options.days });
  const { config, store, ruleset } = ctx;
  const { baseUrl } = config;
  const paths = { databasePath: databasePath(config), migrations: migrationsPath(config) };
  const settings = { ...paths, baseUrl, ruleset: ruleset.id, writeLock: store.writeLock };
  const before = process.memoryUsage.rss();
  let most = before;
  const sampling = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const path = parquetPath(config);
  const started = { ms: performance.now(), cpu: process.cpuUsage() };
  const { signal } = new AbortController();
  const { rows } = await parquetThread(SOURCE, settings)(path, ctx.now(), signal);
  const { user, system } = process.cpuUsage(started.cpu);
  const seconds = (performance.now() - started.ms) / 1000;
  delay.disable();
  clearInterval(sampling);
  const { size } = statSync(path);
  results.push({
    operators,
    days: options.days,
    rows,
    MB: round(size / MB, 2),
    'bytes per row': round(size / rows, 1),
    seconds: round(seconds, 1),
    'processor seconds': round((user + system) / 1e6, 1),
    'memory added, MB': round((most - before) / MB, 0),
    'longest delay, ms': round(delay.max / 1e6, 0),
  });
  store.close();
}
