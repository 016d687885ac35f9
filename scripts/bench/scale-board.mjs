// What one board costs: see scale.mjs.
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runAdmin } from './admin-cli.mjs';
import { median, startBoard } from './lib.mjs';
import { cpuSecondsOf, memoryOf } from './process-stats.mjs';
import { askWhilePublishing } from './scale-load.mjs';
import { codenameOf } from './seed.mjs';

/** Accounts that are deleted, one after the other. */
const DELETED = 3;
const PRELOAD = fileURLToPath(new URL('event-loop.mjs', import.meta.url));

/**
 * Measures the board of a context: costs by name, null where one cannot be told.
 *
 * @param options.most How long it is asked, in seconds; longer only for the publications that it takes.
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
    'first start until it answers, s': board.startedSeconds,
    'first start, processor s': startCpuSeconds,
    'first publication, s': first.seconds,
    'publication with 1 % changed, s': median(following.map(({ seconds }) => seconds)),
    'event loop held up meanwhile, ms': Math.max(...following.map(({ heldMs }) => heldMs)),
    'most memory until the first publication, MB': peakMb,
    'most memory until the last one, MB': laterPeakMb,
    ...(await timeAdmin(ctx)),
    'deletion of an account, s': await timeDeletions(ctx, board.url, asked.operators),
    ...Object.fromEntries(latencies),
    'answers that were not right': wrong,
  };
}

/** Uses the board while the built server serves it. */
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

/** The built server, once it answers; between publications there is time for the changes, and to be asked. */
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

/** How long the admin's commands take beside the running server, in seconds; null for what failed. */
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

/** How long the answer to a deletion takes, usually, in seconds: it comes when nobody can read the account. */
async function timeDeletions({ store, sessions }, url, operators) {
  const times = [];
  for (let turn = 1; turn <= DELETED; turn += 1) {
    const codename = codenameOf(operators - turn);
    const setCookie = await sessions.start(store.operators.byCodename(codename).id);
    const startedMs = performance.now();
    const answer = await fetch(`${url}/api/v1/account/delete`, {
      method: 'POST',
      headers: { Cookie: setCookie.split(';')[0], 'Content-Type': 'application/json' },
      body: JSON.stringify({ confirm: codename }),
    });
    if (!answer.ok) throw new Error(`A deletion answered ${answer.status}: ${await answer.text()}`);
    times.push((performance.now() - startedMs) / 1000);
  }
  return median(times);
}
