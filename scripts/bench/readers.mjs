// Measures a writer with an object store and readers: the start of a reader, requests per second, how long readers are
// behind, and what visitors notice when the writer or a reader is killed. Varnish and Caddy take part if they exist.
//   --operators 1000   the size of the board
//   --seconds 3        how long each measurement of requests takes
//   --updates 20       how many updates are watched
//   --down 20          for how many seconds the writer is dead
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startS3 } from '#tests/support/store/s3-server.ts';
import { generateLoad, repeat, requestBytes } from './load.mjs';
import { freePort, quantile, readOptions, report, round, startBoard, withFolder } from './lib.mjs';
import { bucketsOf, codenameOf, openContext, operatorOf, seedBoard, submitDays } from './seed.mjs';

const CONNECTIONS = 8;
const PAGES = ['/', '/leaderboard/30d/leverage', `/operators/${codenameOf(7)}`];

const options = readOptions({ operators: 1000, seconds: 3, updates: 20, down: 20 });

await withFolder(async (folder) => {
  const s3 = await startS3();
  const stopped = [];
  try {
    await measure(folder, s3, stopped);
  } finally {
    for (const stop of stopped.toReversed()) await stop();
    await s3.stop();
  }
});

async function measure(folder, s3, stopped) {
  const ports = [await freePort(), await freePort(), await freePort()];
  const [writerUrl] = ports.map((port) => `http://127.0.0.1:${port}`);
  const dataDir = join(folder, 'board');
  const ctx = openContext(dataDir, { baseUrl: writerUrl });
  seedBoard(ctx, { operators: options.operators, days: 60 });
  ctx.store.close();
  const env = { BASE_URL: writerUrl, PORT: String(ports[0]), ...s3.env };
  const startWriter = () => startBoard({ dataDir, refreshSeconds: 5, env, isQuiet: true });
  let writer = await startWriter();
  stopped.push(() => writer.stop());
  await writer.url;
  await until(() => s3.requests.some(({ key, method }) => key === 'current' && method === 'PUT'));

  const startedMs = [];
  const readers = [];
  for (const port of ports.slice(1)) {
    const beganMs = performance.now();
    const settings = {
      ...s3.env,
      WRITER_URL: writerUrl,
      PORT: String(port),
      OPBENCH_ROLE: 'reader',
    };
    const reader = await startBoard({
      dataDir: join(folder, 'none'),
      env: settings,
      isQuiet: true,
    });
    readers.push({ ...reader, url: `http://127.0.0.1:${port}` });
    stopped.push(() => reader.stop());
    await until(async () => (await ask(readers.at(-1).url, '/')).status === 200);
    startedMs.push(performance.now() - beganMs);
  }
  const urls = readers.map(({ url }) => url);
  const front = [
    ...startCaddy(folder, urls, await freePort()),
    ...startVarnish(folder, urls, await freePort()),
  ];
  stopped.push(...front.map(({ stop }) => stop));
  for (const { url } of front) await until(async () => (await ask(url, '/')).status === 200);

  const throughput = await measureThroughput(
    { writer: [writerUrl], 'one reader': urls.slice(0, 1), 'two readers': urls },
    front,
  );
  const behind = await measureStaleness({ dataDir, writerUrl, urls });
  const [behindFront] = front.length > 0 ? front : [{ url: urls[0], name: 'reader' }];
  const killed = await measureKills({
    ports,
    readers,
    front: behindFront,
    writer,
    startWriter,
    folder,
    env: s3.env,
    writerUrl,
  });
  writer = killed.writer;
  report(options, 'requests per second, the median of three', throughput);
  report(options, 'everything else', [
    {
      what: 'start of a reader until its first page, ms',
      value: startedMs.map((ms) => round(ms)).join(', '),
    },
    { what: 'behind the writer, p50 ms', value: round(quantile(behind, 0.5)) },
    { what: 'behind the writer, p99 ms', value: round(quantile(behind, 0.99)) },
    ...killed.rows,
  ]);
}

async function measureThroughput(plain, front) {
  const all = { ...plain, ...Object.fromEntries(front.map(({ name, url }) => [name, [url]])) };
  const rows = [];
  for (const [name, urls] of Object.entries(all)) {
    const row = { server: name };
    for (const path of PAGES) {
      const rates = [];
      for (let turn = 0; turn < 3; turn += 1) {
        const loads = urls.map((url) => {
          const next = repeat(
            requestBytes(url, path, { headers: { 'Accept-Encoding': 'gzip' } }),
            options.seconds * 1000,
          );
          return generateLoad({ url, connections: CONNECTIONS, next, status: 200 });
        });
        rates.push((await Promise.all(loads)).reduce((sum, { rate }) => sum + rate, 0));
      }
      row[path.replace(codenameOf(7), 'NAME')] = round(quantile(rates, 0.5));
    }
    rows.push(row);
  }
  return rows;
}

/** For each update, the milliseconds from when the writer shows it until each reader does. */
async function measureStaleness({ dataDir, writerUrl, urls }) {
  const behind = [];
  const tagOf = async (url) => (await ask(url, '/', 'HEAD')).headers.etag;
  for (let turn = 1; turn <= options.updates; turn += 1) {
    const before = await tagOf(writerUrl);
    const ctx = openContext(dataDir, { baseUrl: writerUrl });
    const buckets = bucketsOf(turn, 60, 1 + turn / 50).slice(-3);
    ctx.store.transaction(() => submitDays(ctx, operatorOf(ctx, turn), buckets));
    ctx.store.close();
    let shown = before;
    await until(async () => (shown = await tagOf(writerUrl)) !== before, 5);
    const sinceMs = performance.now();
    const waits = urls.map(async (url) => {
      await until(async () => (await tagOf(url)) === shown, 5);
      behind.push(performance.now() - sinceMs);
    });
    await Promise.all(waits);
  }
  return behind;
}

/** Kills the writer for some seconds, and then a reader, while visitors read. */
async function measureKills({ readers, front, writer, startWriter }) {
  const visitors = visit(front.url);
  await wait(2000);
  const beforeWriter = visitors.mark();
  process.kill(writer.pid, 'SIGKILL');
  await wait(options.down * 1000);
  const withoutWriter = visitors.mark();
  const again = await startWriter();
  await again.url;
  await wait(2000);
  const withWriter = visitors.mark();
  process.kill(readers[0].pid, 'SIGKILL');
  await wait(5000);
  const withoutReader = visitors.mark();
  visitors.stop();
  const say = ({ answers, failed }) => `${answers} answers, ${failed} failed`;
  return {
    writer: again,
    rows: [
      { what: `${front.name}: before`, value: say(beforeWriter) },
      { what: `writer dead for ${options.down} s`, value: say(withoutWriter) },
      { what: 'writer back', value: say(withWriter) },
      { what: 'one of two readers killed', value: say(withoutReader) },
    ],
  };
}

/** Reads pages of a board, one after the other. */
function visit(url) {
  let [answers, failed, isOver, number] = [0, 0, false, 0];
  const read = async () => {
    while (!isOver) {
      number += 1;
      const path =
        number % 4 === 0
          ? `/operators/${codenameOf(number % options.operators)}`
          : PAGES[number % 2];
      const { status } = await ask(url, path).catch(() => ({ status: 0 }));
      answers += 1;
      if (status !== 200) failed += 1;
    }
  };
  const all = Array.from({ length: 4 }, read);
  return {
    mark() {
      const since = { answers, failed };
      [answers, failed] = [0, 0];
      return since;
    },
    async stop() {
      isOver = true;
      await Promise.all(all);
    },
  };
}

function ask(url, path, method = 'GET') {
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, timeout: 10_000 }, (response) => {
      response
        .resume()
        .once('end', () => resolve({ status: response.statusCode, headers: response.headers }));
      response.once('error', reject);
    });
    sent.once('error', reject).once('timeout', () => sent.destroy(new Error('No answer')));
    sent.end();
  });
}

async function until(isDone, everyMs = 20) {
  for (;;) {
    if (await Promise.resolve(isDone()).catch(() => false)) return;
    await wait(everyMs);
  }
}

function startCaddy(folder, urls, port) {
  if (!exists('caddy', ['version'])) return [];
  const path = join(folder, 'Caddyfile');
  const targets = urls.map((url) => new URL(url).host).join(' ');
  const balance =
    'lb_policy round_robin\n lb_try_duration 5s\n health_uri /readyz\n health_interval 2s\n health_timeout 2s';
  writeFileSync(
    path,
    `{\n admin off\n auto_https off\n}\nhttp://127.0.0.1:${port} {\n reverse_proxy ${targets} {\n ${balance}\n }\n}\n`,
  );
  return [started('Caddy', port, 'caddy', ['run', '--config', path, '--adapter', 'caddyfile'])];
}

function startVarnish(folder, urls, port) {
  if (!exists('varnishd', ['-V'])) return [];
  const path = join(folder, 'readers.vcl');
  const backends = urls.map((url, at) => {
    const { hostname, port } = new URL(url);
    return `backend r${at} { .host = "${hostname}"; .port = "${port}"; .probe = { .url = "/readyz"; .interval = 2s; } }`;
  });
  const added = urls.map((_, at) => `d.add_backend(r${at});`).join(' ');
  const vcl = `vcl 4.1;\nimport directors;\n${backends.join('\n')}\nsub vcl_init { new d = directors.round_robin(); ${added} }\nsub vcl_recv { set req.backend_hint = d.backend(); }\n`;
  writeFileSync(path, vcl);
  const words = [
    '-F',
    '-n',
    join(folder, 'varnish'),
    '-a',
    `127.0.0.1:${port}`,
    '-f',
    path,
    '-s',
    'malloc,64m',
  ];
  return [started('Varnish', port, 'varnishd', words)];
}

function started(name, port, program, words) {
  const child = spawn(program, words, { stdio: 'ignore' });
  const stop = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  };
  return { name, url: `http://127.0.0.1:${port}`, stop };
}

function exists(program, words) {
  try {
    execFileSync(program, words, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
