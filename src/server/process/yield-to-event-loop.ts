import { setImmediate } from 'node:timers/promises';

/** Lets requests be answered in the middle of something that takes long. */
export async function yieldToEventLoop(): Promise<void> {
  await setImmediate();
}

/** Does something that takes long, each step of it in a turn of the event loop of its own. */
export async function runYielding<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await yieldToEventLoop();
  }
}

/** The same in one go, for processes and threads that answer no requests. */
export function runAtOnce<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Gives each caller a turn of the event loop of its own, one after the other, however many wait at once. */
export function oneByOne(): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(yieldToEventLoop));
}

/** Characters that are handed on at once: so many take a few milliseconds to make. */
const CHUNK_LENGTH = 64 * 1024;

/** Puts short texts together to pieces that are worth sending. */
export function* inChunks(texts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < CHUNK_LENGTH) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}
