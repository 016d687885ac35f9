// Soak test: half an hour of mixed load on the built server, with readers, the MCP server, devices, new and deleted
// accounts, the admin, slow clients and a publication every few seconds. Then it checks that memory does not grow, that
// no files stay open, that the write-ahead log is bounded, that nothing failed and that the board verifies. Exits with
// 1 otherwise.
//   --minutes 30 --operators 1000 --days 30 --seed 1
//   --cgroup  the folder of a cgroup in which the server runs, for example with a memory limit
//   --series NAME  stores the samples and the verdict in scripts/bench/results/NAME.json
//   --json    prints each sample and the verdict as a line of JSON on stdout
import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, readOptions, report, round, runAdmin, withFolder } from './bench/lib.mjs';
import { checkEverybody, openContext, seedBoard } from './bench/seed.mjs';
import { restingFiles, sampleOf, serve } from './bench/soak-board.mjs';
import { Client, Tally } from './bench/soak-client.mjs';
import { keep } from './bench/soak-admin.mjs';
import { startMailServer } from './bench/soak-mail.mjs';
import { comeAndGo, submit } from './bench/soak-people.mjs';
import { callTools, read } from './bench/soak-readers.mjs';
import { beSlow } from './bench/soak-slow.mjs';
import { judgeSamples, judgeWhole } from './bench/soak-verdict.mjs';
import { randomOf } from './random.mjs';

const RESULTS = new URL('bench/results/', import.meta.url);
const READERS = 8;
const SAMPLE_MS = 15_000;
const options = readOptions({
  ...{ minutes: 30, operators: 1000, days: 30, seed: 1 },
  ...{ cgroup: '', series: '' },
});
const { operators, days, seed, cgroup } = options;
const durationMs = 60_000 * options.minutes;
const sampleMs = Math.min(SAMPLE_MS, durationMs / 40);

const isWell = await withFolder(async (dataDir) => {
  const url = `http://127.0.0.1:${await freePort()}`;
  fill(dataDir, url);
  const tally = new Tally();
  const { samples, ...served } = await whileServed({ dataDir, url, tally });
  const verified = await verify({ dataDir, url });
  const findings = [...judgeSamples(samples), ...judgeWhole({ tally, verified, ...served })];
  if (options.series) storeSeries(samples, findings);
  return tellVerdict(findings, tally);
});
process.exitCode = isWell ? 0 : 1;

/** Runs the load on the served board. Returns the samples, the open files before and after, and the end state. */
async function whileServed({ dataDir, url, tally }) {
  const mailServer = await startMailServer();
  const board = await serve({ dataDir, url, sampleMs, cgroup, env: mailServer.env });
  try {
    const before = await restingFiles(board.pid);
    const samples = await soak({ board, tally, dataDir, mailServer });
    const after = await restingFiles(board.pid, before);
    const stopped = await stop(board);
    return { samples, rest: { before, after }, stopped, errors: board.errors };
  } finally {
    await board.stop();
    await mailServer.close();
  }
}

function fill(dataDir, url) {
  const ctx = openContext(dataDir, { baseUrl: url });
  seedBoard(ctx, { operators, days });
  checkEverybody(ctx);
  ctx.store.close();
}

/** Runs all clients until the time is up, and returns the samples. */
async function soak({ board, tally, dataDir, mailServer }) {
  const { url } = board;
  const startMs = Date.now();
  const endMs = startMs + durationMs;
  const isOver = () => Date.now() > endMs;
  const clients = [];
  const loose = (work, number) => {
    const random = randomOf(1000 * seed + number);
    const client = new Client({ url, tally, random });
    clients.push(client);
    return work(client, { operators: operators - 1, dataDir, mailServer, random, isOver });
  };
  const everybody = [...Array(READERS).fill(read), callTools, submit, comeAndGo, keep];
  const working = everybody.map(loose);
  working.push(beSlow({ url, isOver, random: randomOf(seed) }));
  const samples = [];
  while (!isOver()) {
    await pause(sampleMs);
    samples.push(sampleOf({ board, tally, dataDir, startMs, sampleMs }));
    tellSample(samples.at(-1));
  }
  await Promise.all(working);
  for (const client of clients) client.close();
  return samples;
}

async function stop(board) {
  const startedMs = performance.now();
  const code = await board.stop();
  return { code, seconds: (performance.now() - startedMs) / 1000 };
}

async function verify(board) {
  try {
    return { isClean: true, text: (await runAdmin(board, 'verify')).replaceAll('\n', '\n    ') };
  } catch (error) {
    return { isClean: false, text: error.message };
  }
}

/** Stores what shows whether memory is flat, one sample a line. */
function storeSeries(samples, findings) {
  const started = samples[0].atMs;
  const rows = samples.map(({ atMs, anonymous_mb, rss_mb, heap_mb, answers }) => {
    const values = [(atMs - started) / 1000, anonymous_mb, rss_mb, heap_mb, answers];
    return `    ${JSON.stringify(values.map((value) => (value === null ? null : round(value, 1))))}`;
  });
  const about = { day: new Date(started).toISOString().slice(0, 10), operators, days };
  const told = findings.map(({ what, told: text, isGood }) => ({ what, told: text, isGood }));
  const columns = ['second', 'anonymous_mb', 'rss_mb', 'heap_mb', 'answers'];
  const head = JSON.stringify({ ...about, verdict: told, columns }, null, 2).slice(0, -2);
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(
    new URL(`${options.series}.json`, RESULTS),
    `${head},\n  "samples": [\n${rows.join(',\n')}\n  ]\n}\n`,
  );
}

function tellSample(sample) {
  if (options.json) return void process.stdout.write(`${JSON.stringify(sample)}\n`);
  const told = Object.entries(sample).map(([name, value]) => `${name} ${round(value ?? 0, 1)}`);
  process.stderr.write(`${told.slice(1).join(', ')}\n`);
}

/** Prints the findings, and returns whether all are good. */
function tellVerdict(findings, tally) {
  const isAllGood = findings.every(({ isGood }) => isGood);
  report(options, 'answers', tally.kinds(), tally.counts);
  if (options.json) process.stdout.write(`${JSON.stringify({ isWell: isAllGood, findings })}\n`);
  else {
    const lines = findings.map(({ what, told, isGood }) => {
      return `${isGood ? ' ok ' : 'BAD '} ${what}: ${told}`;
    });
    lines.push(isAllGood ? 'All is well.' : 'Not well: see BAD above.');
    process.stdout.write(`\n${lines.join('\n')}\n`);
  }
  return isAllGood;
}
