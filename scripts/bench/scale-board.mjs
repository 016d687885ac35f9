// The costs of one board: see scale.mjs.
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, runAdmin, startBoard } from './lib.mjs';
import { cpuSecondsOf, memoryOf } from './process-stats.mjs';
import { askWhilePublishing } from './scale-load.mjs';
import { codenameOf } from './seed.mjs';

/** Numbers of accounts that hide one after the other and are deleted, and that hide at the same time. */
const ASKED_ALONE = 3;
const AT_ONCE = 10;
const PRELOAD = fileURLToPath(new URL('event-loop.mjs', import.meta.url));

/**
 * Measures the board of a context. Returns costs by name; null if one cannot be measured.
 *
 * @param options.most The length of the load in seconds; longer only to complete the publications.
 */
export async function measureBoard(ctx, { operators, days, most }) {
  const sizes = sizesOf(ctx, operators);
  const asked = { operators, days, most };
  const costs = await whileServed(ctx, operators, (board) => costsOf(ctx, board, asked));
  const startedSeconds = await whileServed(ctx, operators, (board) => board.startedSeconds);
  return { ...sizes, 'another start, s': startedSeconds, ...costs };
}

async function costsOf(ctx, board, asked) {
  const { peakMb } = memoryOf(board.pid);
  const startCpuSeconds = cpuSecondsOf(board.pid);
  const { publications, latencies, wrong } = await askWhilePublishing(ctx, board, asked);
  const { peakMb: laterPeakMb } = memoryOf(board.pid);
  const [first, ...following] = publications;
  return {
    'first start until it responds, s': board.startedSeconds,
    'first start, processor s': startCpuSeconds,
    'first publication, s': first.seconds,
    'publication with 1% changed, s': median(following.map(({ seconds }) => seconds)),
    'event loop blocked meanwhile, ms': Math.max(...following.map(({ heldMs }) => heldMs)),
    'most memory until the first publication, MB': peakMb,
    'most memory until the last one, MB': laterPeakMb,
    ...(await timeAdmin(ctx)),
    ...(await timeHiding(ctx, board.url, asked.operators)),
    ...Object.fromEntries(latencies),
    'wrong responses': wrong,
  };
}

/** Runs load on the board while the built server serves it. */
async function whileServed(ctx, operators, use) {
  const board = await startedBoard(ctx, operators);
  try {
    return await use(board);
  } finally {
    await board.stop();
  }
}

function sizesOf({ config: { dataDir } }, operators) {
  const bytes = statSync(join(dataDir, 'opbench.sqlite')).size;
  return { 'database, MB': bytes / 1e6, 'database an operator, KB': bytes / 1e3 / operators };
}

/** The built server, ready to respond. It publishes rarely enough for changes and requests in between. */
async function startedBoard({ config }, operators) {
  const startedMs = performance.now();
  const board = await startBoard({
    dataDir: config.dataDir,
    refreshSeconds: 2 + operators / 10_000,
    execArgv: ['--import', PRELOAD],
    env: { BASE_URL: config.baseUrl },
    isQuiet: true,
  });
  const held = [];
  const publications = [];
  board.events.on('event', (line) => {
    if (line.event === 'event_loop') held.push({ atMs: Date.now(), ms: line.max_ms });
    else if (line.event === 'published') publications.push(publicationOf(line));
    else if (line.level === 'error') process.stderr.write(`${JSON.stringify(line)}\n`);
  });
  const url = await board.url;
  return {
    ...board,
    ...{ url, held, publications, startedSeconds: (performance.now() - startedMs) / 1000 },
  };
}

function publicationOf({ projected_ms, rendered_ms }) {
  const ms = projected_ms + rendered_ms;
  return { fromMs: Date.now() - ms, toMs: Date.now(), seconds: ms / 1000 };
}

/** The duration of admin commands while the server runs, in seconds; null if one failed. */
async function timeAdmin({ config: { dataDir } }) {
  const file = `${dataDir}.backup`;
  const backup = await timeOf(dataDir, ['backup', file]);
  const verify = await timeOf(dataDir, ['verify']);
  rmSync(file, { force: true });
  return { 'backup, s': backup, 'verify, s': verify };
}

async function timeOf(dataDir, words) {
  const startedMs = performance.now();
  try {
    await runAdmin({ dataDir, url: '' }, ...words);
    return (performance.now() - startedMs) / 1000;
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    return null;
  }
}

/**
 * Median response times of writes that hide data, in seconds: a change of the privacy mode, alone and ten at once,
 * and the deletion of an account. The board responds when no reader can see the data any more.
 */
async function timeHiding({ store, sessions }, url, operators) {
  const people = await Promise.all(
    Array.from({ length: ASKED_ALONE + AT_ONCE }, async (_, turn) => {
      const codename = codenameOf(operators - 1 - turn);
      const cookie = await sessions.start(store.operators.byCodename(codename).id);
      const headers = { Cookie: cookie.split(';')[0], 'Content-Type': 'application/json' };
      return { codename, post: (path, body) => timePost(url + path, headers, body) };
    }),
  );
  const hide = ({ post }) => post('/api/v1/profile', { privacy_mode: 'private' });
  const alone = [];
  for (const one of people.slice(0, ASKED_ALONE)) alone.push(await hide(one));
  const together = await Promise.all(people.slice(ASKED_ALONE).map(hide));
  const deletions = [];
  for (const { codename, post } of people.slice(0, ASKED_ALONE)) {
    deletions.push(await post('/api/v1/account/delete', { confirm: codename }));
  }
  return {
    'change of the privacy mode, s': median(alone),
    [`${AT_ONCE} switches at once, s`]: median(together),
    'deletion of an account, s': median(deletions),
  };
}

async function timePost(address, headers, body) {
  const startedMs = performance.now();
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await fetch(address, init);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${address} returned ${answer.status}: ${text}`);
  return (performance.now() - startedMs) / 1000;
}
