// POST /api/v1/snapshots with pre-signed envelopes of 30 records from many devices, 20 at a time, compared with plain
// node:http with one signature check and one durable INSERT. Target: >= 0.6.
import { join } from 'node:path';
import { ENVELOPE_MEDIA_TYPE } from '#core/schema/snapshot.ts';
import { generateLoad, requestBytes } from './load.mjs';
import {
  interleave,
  median,
  medianRatio,
  quantile,
  readOptions,
  report,
  round,
  startBoard,
  startReference,
  withFolder,
} from './lib.mjs';
import {
  BASE_URL,
  bucketsOf,
  openContext,
  seedBoard,
  signedSnapshot,
  signingKey,
} from './seed.mjs';

const CONNECTIONS = 20;

/** Every operator submits once in each round. The first round warms up, with no earlier buckets. */
const ROUNDS = 4;
const PATH = '/api/v1/snapshots';
const { records, operators, ...options } = readOptions({ records: 30, operators: 1000 });

await withFolder(async (folder) => {
  const ctx = openContext(folder);
  seedBoard(ctx, { operators, days: 0 });
  ctx.store.close();
  const devices = Array.from({ length: operators }, (_, number) => signingKey(number));
  const board = await startBoard({ dataDir: folder, env: { BASE_URL } });
  const reference = await startReference('reference-submit.mjs', {
    path: join(folder, 'reference.sqlite'),
    keys: devices.map(({ keyid, jwk }) => ({ keyid, jwk })),
  });
  const url = await board.url;
  const rounds = Array.from({ length: ROUNDS }, (_, index) => signRound(devices, index));
  const results = await interleave(ROUNDS, {
    ours: (index) => submit(url, rounds[index]),
    reference: (index) => submit(reference.url, rounds[index]),
  });
  await Promise.all([board.stop(), reference.stop()]);
  reportSubmissions(results);
});

/** One signed envelope from each device, with higher counts than in the round before. */
function signRound(devices, index) {
  return devices.map((key, number) => {
    const buckets = bucketsOf(number, records, 1 + index / 10).slice(-records);
    return JSON.stringify(signedSnapshot(key, { audience: BASE_URL, buckets }).envelope);
  });
}

function submit(url, envelopes) {
  const headers = { 'Content-Type': ENVELOPE_MEDIA_TYPE };
  const requests = envelopes.map((body) =>
    requestBytes(url, PATH, { method: 'POST', headers, body }),
  );
  const next = () => requests.pop() ?? null;
  return generateLoad({ url, connections: CONNECTIONS, next, status: 201 });
}

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
