// The load on a board while it is changed and published again and again: see scale.mjs.
import { once } from 'node:events';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { ENVELOPE_MEDIA_TYPE } from '#core/schema/snapshot.ts';
import { quantile } from './lib.mjs';
import { askSteadily } from './paced.mjs';
import { mostHeld } from './scale-server.mjs';
import {
  bucketsOf,
  codenameOf,
  operatorOf,
  signedSnapshot,
  signingKey,
  submitDays,
} from './seed.mjs';

const CHANGED_SHARE = 0.01;
/** The lowest number of samples for a quantile, during publications and between them. */
const SAMPLES = 200;
/** The lowest number of publications after the first. */
const FOLLOWING = 3;

/** The step between requested operators, which is not a small factor of a round number. */
const STRIDE = 7919;
/** The number of submitting devices, small compared with the deliberate changes. */
const SENDERS = 10;

/** Changes 1% of the operators after each publication, under load, until there are enough samples. */
export async function askWhilePublishing(ctx, board, { operators, days, most }) {
  const kinds = readsAndSubmits(ctx.config.baseUrl, operators);
  const pace = Math.min(...Object.values(kinds).map(({ perSecond }) => perSecond));
  const startMs = Date.now();
  const changes = [];
  let isOver = false;
  const asking = askSteadily(board.url, kinds, () => isOver);
  while (!isOver) {
    const next = nextPublication(board);
    const fromMs = Date.now();
    await change(ctx, { operators, days, turn: changes.length });
    changes.push({ fromMs, toMs: Date.now() });
    await next;
    const following = board.publications.slice(1);
    const isLate = Date.now() > startMs + 1000 * most;
    isOver = following.length >= FOLLOWING && (isLate || SAMPLES < pace * totalSeconds(following));
  }
  const samples = await asking;
  const publications = board.publications.map((publication) => ({
    ...publication,
    heldMs: mostHeld(publication, board.held),
  }));
  const wrong = Object.values(samples).flatMap((all) => all.filter(({ isRight }) => !isRight));
  const latencies = latenciesOf(samples, publications, changes);
  return { publications, latencies, wrong: wrong.length };
}

async function nextPublication({ events }) {
  for (;;) {
    const [line] = await once(events, 'event');
    if (line.event === 'published') return;
  }
}

/** Increases the last days of some operators, each in its own snapshot and transaction. */
async function change(ctx, { operators, days, turn }) {
  const step = Math.round(1 / CHANGED_SHARE);
  for (let number = turn % step; number < operators; number += step) {
    const buckets = bucketsOf(number, days, 1 + (turn + 1) / 100).slice(-3);
    ctx.store.transaction(() => submitDays(ctx, operatorOf(ctx, number), buckets));
    await yieldToEventLoop();
  }
}

function totalSeconds(publications) {
  return publications.reduce((total, { seconds }) => total + seconds, 0);
}

/** The p50 and p99 of each kind in milliseconds, between publications and during them. */
function latenciesOf(samples, publications, changes) {
  const isDuring = (intervals) => (sample) => {
    return intervals.some(({ fromMs, toMs }) => {
      return sample.atMs < toMs && sample.atMs + sample.ms > fromMs;
    });
  };
  const isPublishing = isDuring(publications);
  const isChanging = isDuring(changes);
  return Object.entries(samples).flatMap(([kind, all]) => {
    const fair = all.filter((sample) => !isChanging(sample));
    const quiet = fair.filter((sample) => !isPublishing(sample));
    const publishing = fair.filter(isPublishing);
    return [...quantilesOf(kind, quiet), ...quantilesOf(`${kind}, while publishing`, publishing)];
  });
}

function quantilesOf(kind, samples) {
  const times = samples.map(({ ms }) => ms);
  const at = (share) => (times.length >= 20 ? quantile(times, share) : null);
  return [
    [`${kind}, p50 ms`, at(0.5)],
    [`${kind}, p99 ms`, at(0.99)],
  ];
}

/**
 * Kinds of requests for `askSteadily`: prepared responses, responses to new searches, and signed snapshots of three
 * records.
 */
function readsAndSubmits(audience, operators) {
  const get = (perSecond, pathOf) => ({ perSecond, next: (turn) => ({ path: pathOf(turn) }) });
  const someone = (turn) => codenameOf((turn * STRIDE) % operators);
  return {
    'front page': get(50, () => '/'),
    'page of an operator': get(20, (turn) => `/operators/${someone(turn)}`),
    'leaderboard as JSON': get(50, () => '/api/v1/leaderboard'),
    'leaderboard by tool and text': get(20, (turn) => `/api/v1/leaderboard?tool=codex&q=${turn}`),
    submit: { perSecond: 20, next: (turn) => submission(audience, turn) },
  };
}

function submission(audience, turn) {
  const number = turn % SENDERS;
  const buckets = bucketsOf(number, 2, 1 + turn / 1000).slice(-3);
  const { envelope } = signedSnapshot(signingKey(number), { audience, buckets });
  return {
    ...{ path: '/api/v1/snapshots', method: 'POST', status: 201 },
    headers: { 'Content-Type': ENVELOPE_MEDIA_TYPE },
    body: JSON.stringify(envelope),
  };
}
