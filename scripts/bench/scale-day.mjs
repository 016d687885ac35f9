// The first publication of a day, on a server whose clock passes midnight while it serves: see scale.mjs.
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { DAY_MS } from '#core/domain/counting/day.ts';
import { memoryOf } from './process-stats.mjs';
import { mostHeld, whileServed } from './scale-server.mjs';

/** How long before midnight the server is started, in seconds: a fixed time, and one for each operator. */
const BEFORE = { always: 15, each: 0.0005 };
/** Several reports of the event loop follow a publication, in milliseconds. */
const SETTLING_MS = 500;

export async function timeNewDay(ctx, { operators }) {
  const nowMs = Date.now();
  const midnightMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
  const beforeMs = 1000 * (BEFORE.always + BEFORE.each * operators);
  const clockOffsetMs = midnightMs - beforeMs - nowMs;
  return whileServed(ctx, { operators, clockOffsetMs }, async (board) => {
    const midnight = new Date(midnightMs).toISOString();
    if (Date.now() + clockOffsetMs > midnightMs) return { [NAME]: null };
    const isOfNewDay = ({ time }) => time > midnight;
    while (!board.publications.some(isOfNewDay)) await once(board.events, 'event');
    await pause(SETTLING_MS);
    const first = board.publications.find(isOfNewDay);
    return {
      [NAME]: first.seconds,
      'event loop blocked by it, ms': mostHeld(first, board.held),
      'anonymous memory after it, MB': memoryOf(board.pid).anonymousMb,
    };
  });
}

const NAME = 'first publication of a day, s';
