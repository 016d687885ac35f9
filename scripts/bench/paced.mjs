// Requests at a steady pace, one at a time of each kind, each with when it was asked and how long it took.
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

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
    let due = performance.now();
    for (let turn = 0; !isOver(); turn += 1) {
      samples[name].push(await sampleOf(url, agent, next(turn)));
      due = Math.max(due + 1000 / perSecond, performance.now());
      await pause(Math.max(0, due - performance.now()));
    }
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
