// Requests per second of `/` and the leaderboard's JSON from the built server, compared with plain node:http that
// sends the same bytes with type and length only. Targets: page >= 0.9, JSON >= 0.7. If the generator is busier than
// 0.9, it limits both sides. `--seconds` sets the length of each of the 5 rounds, `--operators` the size of the board.
import { get } from 'node:http';
import { generateLoad, repeat, requestBytes } from './load.mjs';
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
import { BASE_URL, openContext, seedBoard, takeAsChecked } from './seed.mjs';

const CONNECTIONS = 50;
const ROUNDS = 5;
const ADDRESSES = { page: '/', JSON: '/api/v1/leaderboard' };
const ENCODINGS = ['identity', 'gzip', 'br'];
const { seconds, operators, ...options } = readOptions({ seconds: 1.2, operators: 300 });

await withFolder(async (dataDir) => {
  const ctx = openContext(dataDir);
  seedBoard(ctx, { operators, days: 30 });
  takeAsChecked(ctx);
  ctx.store.close();
  const board = await startBoard({ dataDir, env: { BASE_URL } });
  const url = await board.url;
  const replies = await readReplies(url);
  const reference = await startReference('reference-bytes.mjs', replies);
  const rows = [];
  for (const [name, path] of Object.entries(ADDRESSES)) {
    for (const encoding of ENCODINGS) {
      const { bytes } = replies[path][encoding];
      const measured = await compare({ ours: url, reference: reference.url }, path, encoding);
      rows.push({ reply: `${name} ${encoding}`, bytes: bytes.length, ...measured });
    }
  }
  await Promise.all([board.stop(), reference.stop()]);
  report(options, 'published bytes, requests per second', rows);
});

/** The bytes that the server publishes, by address and encoding. */
async function readReplies(url) {
  const replies = {};
  for (const path of Object.values(ADDRESSES)) {
    replies[path] = {};
    for (const encoding of ENCODINGS)
      replies[path][encoding] = await readReply(url, path, encoding);
  }
  return replies;
}

/** The body as it was sent, because `fetch` would decode it. */
function readReply(url, path, encoding) {
  return new Promise((resolve, reject) => {
    get(url + path, { headers: { 'Accept-Encoding': encoding } }, async (response) => {
      const bytes = Buffer.concat(await response.toArray());
      resolve({ type: response.headers['content-type'], bytes });
    }).on('error', reject);
  });
}

async function compare(urls, path, encoding) {
  const load = (url, forSeconds) => {
    const bytes = requestBytes(url, path, { headers: { 'Accept-Encoding': encoding } });
    const next = repeat(bytes, forSeconds * 1000);
    return generateLoad({ url, connections: CONNECTIONS, next, status: 200 });
  };
  const contestants = Object.fromEntries(
    Object.entries(urls).map(([name, url]) => [name, () => load(url, seconds)]),
  );
  await load(urls.ours, 0.3);
  await load(urls.reference, 0.3);
  const { ours, reference } = await interleave(ROUNDS, contestants);
  const rates = (results) => results.map(({ rate }) => rate);
  return {
    'req/s': round(median(rates(ours))),
    'node:http req/s': round(median(rates(reference))),
    ratio: round(medianRatio(rates(ours), rates(reference)), 2),
    'p99 ms': round(median(ours.map(({ latencies }) => quantile(latencies, 0.99))), 1),
    'generator busy': round(median(ours.map(({ generatorBusy }) => generatorBusy)), 2),
  };
}
