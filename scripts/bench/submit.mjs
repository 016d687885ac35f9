// POST /api/v1/snapshots with pre-signed envelopes of 30 records from many devices, 20 at a time, compared with plain
// node:http with one signature check and one durable INSERT. Target: >= 0.6.
import {
  median,
  medianRatio,
  quantile,
  readOptions,
  report,
  round,
  startBoard,
  withFolder,
} from './lib.mjs';
import { BASE_URL, openContext, seedBoard } from './seed.mjs';
import { submitInTurns } from './submit-rounds.mjs';

const { records, operators, ...options } = readOptions({ records: 30, operators: 1000 });

await withFolder(async (folder) => {
  const ctx = openContext(folder);
  seedBoard(ctx, { operators, days: 0 });
  ctx.store.close();
  const board = await startBoard({ dataDir: folder, env: { BASE_URL } });
  const url = await board.url;
  const asked = { url, folder, audience: BASE_URL, operators, records };
  const results = await submitInTurns(asked);
  await board.stop();
  reportSubmissions(results);
});

function reportSubmissions(results) {
  const measured = Object.entries(results).map(([name, all]) => [name, all.slice(1)]);
  const rates = Object.fromEntries(measured.map(([name, all]) => [name, all.map((r) => r.rate)]));
  const rows = measured.map(([server, rounds]) => {
    const at = (share) => median(rounds.map(({ latencies }) => quantile(latencies, share)));
    return {
      server,
      'snapshots/s': round(median(rates[server])),
      ratio: round(medianRatio(rates[server], rates.reference), 2),
      'p50 ms': round(at(0.5), 1),
      'p99 ms': round(at(0.99), 1),
      'generator busy': round(median(rounds.map(({ generatorBusy }) => generatorBusy)), 2),
    };
  });
  const first = round(results.ours[0].rate);
  report(options, `signed snapshots, records in each: ${records}`, rows, {
    'first snapshots/s (cold)': first,
  });
}
