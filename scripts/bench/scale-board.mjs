// The costs of one board, in parts that can be selected: see scale.mjs.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { median } from './lib.mjs';
import { cpuSecondsOf, memoryOf } from './process-stats.mjs';
import { timeBackup, timeVerify } from './scale-admin.mjs';
import { timeNewDay } from './scale-day.mjs';
import { timeDeletion, timeHiding } from './scale-hiding.mjs';
import { askWhilePublishing } from './scale-load.mjs';
import { whileServed } from './scale-server.mjs';
import { compareSubmissions } from './submit-rounds.mjs';

/** The most operators that submit, and how many at the end may be hidden or deleted by then. */
const SUBMITTING = 1000;
const CHANGED = 20;

/** What can be measured on a running server, by name. */
const WHILE_SERVED = {
  publish: costsOfPublications,
  hide: (ctx, { url }, { operators }) => timeHiding(ctx, url, operators),
  delete: (ctx, { url }, { operators }) => timeDeletion(ctx, url, operators),
  backup: timeBackup,
  verify: timeVerify,
  submit: costsOfSubmissions,
};
/** What needs servers of its own. Runs last, because a new day leaves stored boards behind. */
const WITH_OWN_SERVER = { restart: timeRestart, day: timeNewDay };

/** All parts, in the order in which they run. */
export const PARTS = [...Object.keys(WHILE_SERVED), ...Object.keys(WITH_OWN_SERVER)];

/**
 * Measures the board of a context. Returns costs by name; null if one cannot be measured.
 *
 * @param asked.most The length of the load in seconds; longer only to complete the publications.
 * @param asked.only The parts to measure. The costs of a start are always measured.
 */
export async function measureBoard(ctx, asked) {
  const isAsked = ([name]) => asked.only.includes(name);
  const costs = { ...sizesOf(ctx, asked.operators) };
  await whileServed(ctx, asked, async (board) => {
    Object.assign(costs, costsOfStart(board));
    for (const [, part] of Object.entries(WHILE_SERVED).filter(isAsked)) {
      Object.assign(costs, await part(ctx, board, asked));
    }
  });
  for (const [, part] of Object.entries(WITH_OWN_SERVER).filter(isAsked)) {
    Object.assign(costs, await part(ctx, asked));
  }
  return costs;
}

function sizesOf({ config: { dataDir } }, operators) {
  const bytes = statSync(join(dataDir, 'opbench.sqlite')).size;
  return { 'database, MB': bytes / 1e6, 'database an operator, KB': bytes / 1e3 / operators };
}

function costsOfStart({ pid, startedSeconds, publications }) {
  return {
    'first start until it responds, s': startedSeconds,
    'first start, processor s': cpuSecondsOf(pid),
    'first publication, s': publications[0]?.seconds ?? null,
    'anonymous memory after the start, MB': memoryOf(pid).anonymousMb,
    'most memory until the first publication, MB': memoryOf(pid).peakMb,
  };
}

async function costsOfPublications(ctx, board, asked) {
  const { publications, latencies, wrong } = await askWhilePublishing(ctx, board, asked);
  const following = publications.slice(1);
  return {
    'publication with 1% changed, s': median(following.map(({ seconds }) => seconds)),
    'event loop blocked meanwhile, ms': Math.max(...following.map(({ heldMs }) => heldMs)),
    'anonymous memory after publications, MB': memoryOf(board.pid).anonymousMb,
    'most memory until the last one, MB': memoryOf(board.pid).peakMb,
    ...Object.fromEntries(latencies),
    'wrong responses': wrong,
  };
}

async function costsOfSubmissions({ config }, { url }, { operators }) {
  const folder = `${config.dataDir}.reference`;
  const { rates, ratio } = await compareSubmissions({
    ...{ url, folder, audience: config.baseUrl },
    operators: Math.min(operators - CHANGED, SUBMITTING),
    records: 3,
  });
  return { 'submissions of three records a second': rates, 'relative to the reference': ratio };
}

async function timeRestart(ctx, asked) {
  return whileServed(ctx, asked, ({ startedSeconds }) => ({ 'another start, s': startedSeconds }));
}
