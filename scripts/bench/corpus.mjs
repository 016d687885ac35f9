// The corpus of 100,000 operators: what a whole download takes, how long it holds the event loop up,
// and what it holds in memory, for a fast reader, a packed one, a slow one and several at once, while
// operators submit. Held up: the longest in each 100 ms, sampling included. Aims: memory that does not
// grow with the corpus, a short write-ahead log, an event loop that is not held up for 50 ms.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { median, readOptions, report, round, withFolder } from './lib.mjs';
import { bucketsOf, openBoardStore, seedBoard, stateUsage } from './seed.mjs';

const SLOW_SECONDS = 20;
const SLOW_BYTES_A_SECOND = 2 ** 20;
const options = readOptions({
  operators: { type: 'string', default: '100000' },
  days: { type: 'string', default: '10' },
});

await withFolder(async (dataDir) => {
  const store = openBoardStore(dataDir);
  const days = Number(options.days);
  const operators = seedBoard(store, { operators: Number(options.operators), days });
  const server = await serve(dataDir);
  const writer = write(store, operators, days);
  const wal = join(dataDir, 'opbench.sqlite-wal');
  const rows = [];
  rows.push(await watch('nobody', server, wal, () => setTimeout(3_000)));
  rows.push(await watch('fast', server, wal, () => download(server)));
  rows.push(await watch('fast, gzip', server, wal, () => download(server, { gzip: true })));
  rows.push(await watch(`slow, ${SLOW_SECONDS} s`, server, wal, () => dawdle(server)));
  const several = () => Promise.all([1, 2, 3, 4].map(() => download(server)));
  rows.push(await watch('four at once', server, wal, several));
  const submissions = writer.stop();
  report(options, `the corpus of ${options.operators} operators, ${days} days`, rows, {
    submissions,
  });
  server.child.kill();
  await once(server.child, 'exit');
  store.close();
});

async function serve(dataDir) {
  const path = (name) => fileURLToPath(new URL(name, import.meta.url));
  const execArgv = ['--import', path('event-loop.mjs')];
  const stdio = ['ignore', 'inherit', 'pipe', 'ipc'];
  const child = fork(path('corpus-server.mjs'), { execArgv, stdio });
  const loops = [];
  createInterface(child.stderr).on('line', (line) => {
    if (line.startsWith('{')) loops.push(JSON.parse(line));
    else process.stderr.write(`${line}\n`);
  });
  child.send({ dataDir });
  const [port] = await once(child, 'message');
  return { child, port, loops };
}

/** Operators go on submitting, twenty a second. */
function write(store, operators, days) {
  let written = 0;
  const timer = setInterval(() => {
    const index = (written * 7919) % operators.length;
    written += 1;
    const buckets = bucketsOf(index, days, 1 + written / 1e6).slice(-3);
    store.transaction(() => stateUsage(store, operators[index], buckets));
  }, 50);
  return { stop: () => (clearInterval(timer), written) };
}

/** What a reader gets, and how server and write-ahead log fare meanwhile. */
async function watch(reader, { loops }, wal, work) {
  loops.length = 0;
  let walBytes = 0;
  const timer = setInterval(() => (walBytes = Math.max(walBytes, statSync(wal).size)), 100);
  const startedMs = performance.now();
  const got = [(await work()) ?? { bytes: 0, lines: 0 }].flat();
  const seconds = (performance.now() - startedMs) / 1000;
  clearInterval(timer);
  const sum = (name) => got.reduce((total, one) => total + one[name], 0);
  const most = (name) => Math.max(...loops.map((loop) => loop[name]));
  return {
    reader,
    seconds: round(seconds, 1),
    MB: round(sum('bytes') / 2 ** 20),
    lines: sum('lines'),
    'lines/s': round(sum('lines') / seconds),
    'held up ms, median': round(median(loops.map((loop) => loop.max_ms)), 1),
    most: round(most('max_ms'), 1),
    'RSS MB': round(most('rss_mb')),
    'WAL MB': round(walBytes / 2 ** 20, 1),
  };
}

async function open({ port }, headers = {}) {
  const request = get({ host: '127.0.0.1', port, path: '/', agent: false, headers });
  const [response] = await once(request, 'response');
  return response;
}

/** Takes all that comes; lines are counted where they are not packed. */
async function download(server, { gzip = false } = {}) {
  const response = await open(server, gzip ? { 'Accept-Encoding': 'gzip' } : {});
  let [bytes, lines] = [0, 0];
  for await (const chunk of response) {
    bytes += chunk.length;
    if (gzip) continue;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
  }
  return { bytes, lines };
}

/** Takes a little at a time, and goes before the end. */
async function dawdle(server) {
  const response = await open(server);
  let bytes = 0;
  for (let tick = 0; tick < SLOW_SECONDS * 4; tick += 1) {
    const wanted = SLOW_BYTES_A_SECOND / 4;
    for (let got = 0; got < wanted;) {
      const chunk = response.read();
      if (chunk === null) await once(response, 'readable');
      else got += chunk.length;
      bytes += chunk?.length ?? 0;
    }
    await setTimeout(250);
  }
  response.destroy();
  return { bytes, lines: 0 };
}
