// Measures a writer with an object store and two readers: the start of a reader, requests per second, how long readers
// are behind, and what visitors notice when the writer or a reader is killed. Caddy and Varnish take part if they exist.
//   --operators 1000   the size of the board, with --days 30 of counts
//   --seconds 2        how long each measurement of requests takes
//   --updates 20       how many updates are watched
//   --down 20          for how many seconds the writer is dead
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startS3 } from '#tests/support/store/s3-server.ts';
import { generateLoad, repeat, requestBytes } from './load.mjs';
import {
  freePort,
  median,
  quantile,
  readOptions,
  report,
  round,
  startBoard,
  withFolder,
} from './lib.mjs';
import { cpuSecondsOf } from './process-stats.mjs';
import { startFronts } from './readers-front.mjs';
import {
  BASE_URL,
  bucketsOf,
  codenameOf,
  openContext,
  operatorOf,
  seedBoard,
  submitDays,
} from './seed.mjs';

const { host: HOST } = new URL(BASE_URL);
const CONNECTIONS = 16;
const ROUNDS = 3;
const PAGES = ['/', '/leaderboard/30d/leverage', `/operators/${codenameOf(7)}`];

const options = readOptions({ operators: 1000, days: 30, seconds: 2, updates: 20, down: 20 });

await withFolder(async (folder) => {
  const started = [await startS3()];
  try {
    await measure(folder, started);
  } finally {
    for (const { stop } of started.toReversed()) await stop();
  }
});

async function measure(folder, started) {
  const [s3] = started;
  const writer = await startWriter(folder, s3);
  started.push(writer);
  const readers = [await startReader(folder, s3, writer), await startReader(folder, s3, writer)];
  const fronts = await startFronts(
    folder,
    readers.map(({ url }) => url),
  );
  started.push(...readers, ...fronts);
  for (const { url } of fronts) await until(() => isShown(url));
  const rates = await measureRates({ writer: [writer], reader: [readers[0]], readers }, fronts);
  const behind = await measureStaleness(writer, readers);
  const kills = await measureKills({ writer, readers, front: fronts[0] ?? readers[1] });
  report(options, 'requests per second, the median of three', rates);
  report(options, 'the rest', [
    { what: 'start of each reader, ms', value: readers.map(({ tookMs }) => round(tookMs)).join() },
    { what: 'behind the writer, p50 ms', value: round(median(behind)) },
    { what: 'behind the writer, p99 ms', value: round(quantile(behind, 0.99)) },
    ...kills,
  ]);
}

async function startWriter(folder, s3) {
  const dataDir = join(folder, 'board');
  const ctx = openContext(dataDir, { baseUrl: BASE_URL });
  seedBoard(ctx, { operators: options.operators, days: options.days });
  ctx.store.close();
  const port = await freePort();
  const env = { BASE_URL, PORT: String(port), ...s3.env };
  const writer = { dataDir, url: `http://127.0.0.1:${port}` };
  writer.start = async () => {
    Object.assign(writer, await started(writer.url, { dataDir, env, refreshSeconds: 5 }));
  };
  await writer.start();
  // The log is uploaded last.
  await until(() =>
    s3.requests.some(({ key, method }) => key === 'log/checkpoint' && method === 'PUT'),
  );
  await idle(writer.pid);
  return writer;
}

/** Resolves when a process has almost nothing to do, such as writing the file of the public log. */
async function idle(pid) {
  for (let before = cpuSecondsOf(pid); before !== null;) {
    await wait(2000);
    const now = cpuSecondsOf(pid);
    if (now - before < 0.2) return;
    before = now;
  }
}

async function startReader(folder, s3, writer) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...s3.env, WRITER_URL: writer.url, PORT: String(port), OPBENCH_ROLE: 'reader' };
  const beganMs = performance.now();
  const reader = await started(url, { dataDir: join(folder, 'none'), env });
  return { ...reader, tookMs: performance.now() - beganMs };
}

/** Starts a server, and resolves once it shows the front page. */
async function started(url, how) {
  const board = await startBoard({ ...how, isQuiet: true });
  board.url.catch(() => undefined);
  // Each question delays what it waits for.
  await until(() => isShown(url), 50);
  return { ...board, url };
}

async function measureRates(servers, fronts) {
  const all = { ...servers, ...Object.fromEntries(fronts.map((front) => [front.name, [front]])) };
  const rows = Object.keys(all).map((server) => ({ server }));
  for (const path of PAGES) {
    for (const [at, members] of Object.values(all).entries()) {
      const rates = [];
      for (let turn = 0; turn < ROUNDS; turn += 1) rates.push(await rateOf(members, path));
      rows[at][path.replace(codenameOf(7), 'NAME')] = round(median(rates));
    }
  }
  return rows;
}

/** The requests per second that some servers answer together. */
async function rateOf(servers, path) {
  const headers = { Host: HOST, 'Accept-Encoding': 'gzip' };
  const loads = servers.map(({ url }) => {
    const next = repeat(requestBytes(url, path, { headers }), options.seconds * 1000);
    return generateLoad({ url, connections: CONNECTIONS, next, status: 200 });
  });
  return (await Promise.all(loads)).reduce((sum, { rate }) => sum + rate, 0);
}

/** The milliseconds from when the writer shows an update until each reader does. */
async function measureStaleness({ dataDir, url }, readers) {
  const behind = [];
  const tagOf = async (server) => (await ask(server, '/', 'HEAD')).headers.etag;
  for (let turn = 1; turn <= options.updates; turn += 1) {
    const before = await tagOf(url);
    const ctx = openContext(dataDir, { baseUrl: BASE_URL });
    const buckets = bucketsOf(turn, options.days, 1 + turn / 50).slice(-3);
    ctx.store.transaction(() => submitDays(ctx, operatorOf(ctx, turn), buckets));
    ctx.store.close();
    await until(async () => (await tagOf(url)) !== before);
    const shownMs = performance.now();
    const shown = await tagOf(url);
    const waits = readers.map(async (reader) => {
      await until(async () => (await tagOf(reader.url)) === shown);
      behind.push(performance.now() - shownMs);
    });
    await Promise.all(waits);
  }
  return behind;
}

/** Kills the writer for some seconds, and then a reader, while visitors read. */
async function measureKills({ writer, readers, front }) {
  const visitors = visit(front.url);
  const rows = [];
  const note = async (what, seconds) => {
    await wait(1000 * seconds);
    rows.push({ what: `${front.name ?? 'reader'}: ${what}`, value: visitors.take() });
  };
  await note('all alive', 3);
  process.kill(writer.pid, 'SIGKILL');
  await note(`writer dead for ${options.down} s`, options.down);
  await writer.start();
  await note('writer back', 3);
  process.kill(readers[0].pid, 'SIGKILL');
  await note('one of two readers killed', 5);
  await visitors.stop();
  return rows;
}

/** Four visitors who read pages, one after the other. */
function visit(url) {
  let [answers, failed, number, isOver] = [0, 0, 0, false];
  const read = async () => {
    while (!isOver) {
      number += 1;
      const operator = `/operators/${codenameOf(number % options.operators)}`;
      const path = number % 4 === 0 ? operator : PAGES[number % 2];
      const { status } = await ask(url, path).catch(() => ({ status: 0 }));
      answers += 1;
      if (status !== 200) failed += 1;
    }
  };
  const all = [read(), read(), read(), read()];
  const take = () => {
    const since = `${answers} answers, ${failed} failed`;
    [answers, failed] = [0, 0];
    return since;
  };
  const stop = async () => {
    isOver = true;
    await Promise.all(all);
  };
  return { take, stop };
}

async function isShown(url) {
  return (await ask(url, '/')).status === 200;
}

function ask(url, path, method = 'GET') {
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, timeout: 10_000, headers: { Host: HOST } });
    sent.once('error', reject).once('timeout', () => sent.destroy(new Error('No answer')));
    sent.once('response', (response) => {
      const { statusCode: status, headers } = response;
      response.once('error', reject).once('end', () => resolve({ status, headers }));
      response.resume();
    });
    sent.end();
  });
}

async function until(isDone, everyMs = 10) {
  while (!(await Promise.resolve(isDone()).catch(() => false))) await wait(everyMs);
}
