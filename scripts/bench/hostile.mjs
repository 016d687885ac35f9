// What a stranger can cost a board: each address gets the worst requests that the limits allow, without an account.
// Prints the main thread's time for each address's worst request, the memory of 400 large ones in flight, and the
// median of the front page alone and beside one hostile client, which rate limits hold. Aims: 20 ms, 150 MB, 20 ms.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { signingKey } from './devices.mjs';
import { hostileRequests } from './hostile-requests.mjs';
import { bytesOf, send } from './hostile-sender.mjs';
import { median, quantile, readOptions, report, round, startBoard, withFolder } from './lib.mjs';
import { askSteadily } from './paced.mjs';
import { memoryOf } from './process-stats.mjs';
import { openContext, seedSignedBoard } from './signed-board.mjs';

const IN_FLIGHT = 400;
const PRELOADED = ['--import', new URL('thread-cpu.mjs', import.meta.url).href];
const SENDER = fileURLToPath(new URL('hostile-sender.mjs', import.meta.url));
/** The front page's reader, who stays below the limit of pages. */
const READS_PER_SECOND = 9;

const options = readOptions({
  operators: { type: 'string', default: '1000' },
  times: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '10' },
  only: { type: 'string', default: '' },
  each: { type: 'boolean', default: false },
  limits: { type: 'boolean', default: false },
});
const [operators, times, seconds] = ['operators', 'times', 'seconds'].map((name) =>
  Number(options[name]),
);
const requests = hostileRequests(signingKey(0).keyid).filter(({ address, what }) => {
  return `${address}, ${what}`.includes(options.only);
});

/** Clients that were not heard of before. */
let clients = 0;
const nextClient = () => {
  clients += 1;
  return `10.${(clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}`;
};

await withFolder(async (dataDir) => {
  const ctx = openContext(dataDir, 'http://127.0.0.1');
  seedSignedBoard(ctx, { operators, days: 8 });
  ctx.store.close();
  const open = await startHostile(dataDir, {});
  const costs = options.limits ? [] : await costsOf(open);
  if (costs.length > 0) report(options, 'Main thread, ms a request', worstOfEach(costs));
  const floods = options.limits ? [] : await floodsOf(open, costs);
  if (floods.length > 0) report(options, `${IN_FLIGHT} in flight`, floods);
  await open.board.stop();
  const limited = { RATE_LIMIT_PUBLIC: '60', RATE_LIMIT_WRITES: '20' };
  const besides = await besidesOf(await startHostile(dataDir, limited), costs);
  report(options, 'The front page beside one hostile client', besides);
});

/** A board behind a proxy that names its clients, and what its main thread tells when asked. */
async function startHostile(dataDir, env) {
  const all = { TRUST_PROXY: 'loopback', ...env };
  const board = await startBoard({ dataDir, execArgv: PRELOADED, env: all, isQuiet: true });
  const url = await board.url;
  const told = [];
  board.events.on('event', (event) => {
    if (event.event === 'thread_cpu') told.shift()?.(event);
  });
  const ask = () => {
    return new Promise((resolve) => {
      told.push(resolve);
      process.kill(board.pid, 'SIGUSR2');
    });
  };
  return { board, url, ask };
}

/** Each request alone, some times. */
async function costsOf({ url, ask }) {
  const costs = [];
  for (const request of requests) {
    await send(url, bytesOf(url, request, nextClient()));
    const told = [await ask()];
    const statuses = new Set();
    for (let turn = 0; turn < times; turn += 1) {
      statuses.add(await send(url, bytesOf(url, request, nextClient())));
      told.push(await ask());
    }
    const each = told.slice(1).map(({ cpu_ms }, at) => cpu_ms - told[at].cpu_ms);
    const heldMs = median(told.slice(1).map(({ held_ms }) => held_ms));
    costs.push({ request, ms: median(each), heldMs, status: [...statuses].join('/') });
  }
  return costs;
}

function worstOfEach(costs) {
  const worst = options.each
    ? costs
    : [...Map.groupBy(costs, ({ request }) => request.address).values()].map((group) => {
        return group.toSorted((a, b) => b.ms - a.ms)[0];
      });
  return worst
    .toSorted((a, b) => b.ms - a.ms)
    .map(({ request, ms, heldMs, status }) => ({
      ...{ address: request.address.slice(0, 60), 'worst request': request.what },
      ...{ bytes: Buffer.byteLength(request.body ?? request.path), status },
      ...{ 'ms a request': round(ms, 1), 'held up ms': round(heldMs, 1) },
    }));
}

/** The dearest request of each address that takes a large body: 400 of them wait for their last byte. */
async function floodsOf({ board, url }, costs) {
  const large = costs.filter(({ request }) => {
    return (
      request.method !== 'GET' && (request.body.length > 1e6 || request.headers['Content-Encoding'])
    );
  });
  const dearest = [
    ...Map.groupBy(large, ({ request }) => {
      const { address, headers, body } = request;
      return `${address}${headers['Content-Encoding'] ?? ''}${body.length < 1e5}`;
    }).values(),
  ].map((group) => group.toSorted((a, b) => b.ms - a.ms)[0].request);
  const floods = [];
  for (const request of dearest) floods.push(await flood(board, url, request));
  return floods;
}

async function flood({ pid }, url, request) {
  const { hostname, port } = new URL(url);
  await pause(1_000);
  const { rssMb: before } = memoryOf(pid);
  // Linux begins to count the peak anew.
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  const statuses = {};
  const sockets = Array.from({ length: IN_FLIGHT }, () => {
    const bytes = bytesOf(url, request, nextClient());
    const socket = connect({ host: hostname, port: Number(port) });
    let status = 0;
    socket.on('data', (chunk) => (status ||= Number(chunk.toString('latin1', 9, 12))));
    socket.on('error', () => undefined);
    const over = new Promise((resolve) => {
      socket.on('close', () => {
        statuses[status] = (statuses[status] ?? 0) + 1;
        resolve();
      });
    });
    socket.write(bytes.subarray(0, -1));
    return { over, finish: () => socket.write(bytes.subarray(-1)) };
  });
  await pause(3_000);
  const { rssMb: waiting } = memoryOf(pid);
  sockets.forEach(({ finish }) => finish());
  await Promise.all(sockets.map(({ over }) => over));
  return {
    ...{ address: request.address, request: request.what },
    'MB while they wait': Math.round(waiting - before),
    'MB at most': Math.round(memoryOf(pid).peakMb - before),
    statuses: JSON.stringify(statuses),
  };
}

/** The front page alone, and beside the dearest requests, each from one client on several connections. */
async function besidesOf({ board, url }, costs) {
  const chosen = options.limits ? requests.map((request) => ({ request, ms: 0 })) : costs;
  const dearest = [...Map.groupBy(chosen, ({ request }) => request.address).values()]
    .map((group) => group.toSorted((a, b) => b.ms - a.ms)[0])
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, 8);
  const rows = [{ beside: 'nobody', ...(await frontPage(url)), statuses: '' }];
  for (const { request } of dearest) rows.push(await beside(url, request));
  await board.stop();
  return rows;
}

async function beside(url, request) {
  const sender = fork(SENDER, { serialization: 'advanced' });
  sender.send({ url, request, client: nextClient(), connections: 8 });
  const read = await frontPage(url);
  sender.send('stop');
  const [statuses] = await once(sender, 'message');
  return {
    beside: `${request.address}, ${request.what}`,
    ...read,
    statuses: JSON.stringify(statuses),
  };
}

async function frontPage(url) {
  const client = nextClient();
  const endMs = performance.now() + 1000 * seconds;
  const next = () => ({ path: '/', headers: { 'X-Forwarded-For': client } });
  const kinds = { page: { perSecond: READS_PER_SECOND, next } };
  const { page } = await askSteadily(url, kinds, () => performance.now() > endMs);
  const ms = page.map((sample) => sample.ms);
  return {
    'median ms': round(median(ms), 2),
    'p99 ms': round(quantile(ms, 0.99), 1),
    wrong: page.filter(({ isRight }) => !isRight).length,
  };
}
