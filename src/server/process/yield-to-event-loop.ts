import { setImmediate } from 'node:timers/promises';

/** Lets requests be answered in the middle of long work. */
export async function yieldToEventLoop(): Promise<void> {
  await setImmediate();
}

/** Runs long work one step at a time, yielding to the event loop after each step. */
export async function runYielding<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await yieldToEventLoop();
  }
}

/** Resumes waiting callers one at a time, each in a new iteration of the event loop. */
export function oneByOne(): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(yieldToEventLoop));
}

/** Characters in a chunk. Producing one takes a few milliseconds. */
const CHUNK_LENGTH = 64 * 1024;

/** Joins short texts into chunks that are large enough to send. */
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
