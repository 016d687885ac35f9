// Work and requests at a steady rate.
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** Runs `work` at a rate per second until the end. Errors go to the `tally`, if there is one. */
export async function keepDoing(perSecond, { isOver, tally }, work) {
  let due = performance.now();
  for (let turn = 0; !isOver(); turn += 1) {
    try {
      await work(turn);
    } catch (error) {
      if (!tally) throw error;
      tally.fault(error.stack);
    }
    due = Math.max(due + 1000 / perSecond, performance.now());
    while (performance.now() < due && !isOver()) {
      await pause(Math.min(500, Math.max(0, due - performance.now())));
    }
  }
}

/**
 * Sends requests until `isOver()`. Each of `kinds` has `perSecond` and `next(turn)`, which returns a request's `path`
 * and, unless it is a GET, `method`, `headers`, `body` and the expected `status`. Kinds run at the same time. A late
 * request is sent at once; missed ones are skipped.
 *
 * @returns The samples by kind: `atMs` as of `Date.now()`, `ms` until the response was complete, and whether its
 *   status `isRight`.
 */
export async function askSteadily(url, kinds, isOver) {
  const samples = Object.fromEntries(Object.keys(kinds).map((name) => [name, []]));
  const run = async ([name, { perSecond, next }]) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await keepDoing(perSecond, { isOver }, async (turn) => {
      samples[name].push(await sampleOf(url, agent, next(turn)));
    });
    agent.destroy();
  };
  await Promise.all(Object.entries(kinds).map(run));
  return samples;
}

async function sampleOf(url, agent, asked) {
  const { path, method = 'GET', headers = {}, body, status = 200 } = asked;
  const atMs = Date.now();
  const startedMs = performance.now();
  const answered = await new Promise((resolve, reject) => {
    const sent = request(url + path, { agent, method, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
      response.on('error', reject);
    });
    sent.on('error', reject).end(body);
  });
  return { atMs, ms: performance.now() - startedMs, isRight: answered === status };
}
