// Work and requests at a steady pace.
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** Does `work` so often a second until the end; what it throws is a fault of the `tally`, if there is one. */
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
 * Asks until `isOver()`: `kinds` has by name `perSecond` and `next(turn)`, the request's `path` and, if it is
 * no GET, `method`, `headers`, `body` and the `status` that is right. Kinds run beside each other; one that is
 * late asks at once and catches up with nothing.
 *
 * @returns The samples by kind: `atMs` on the clock of `Date.now()`, `ms` until the whole answer was there, and
 *   whether its status `isRight`.
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
