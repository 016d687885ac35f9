/**
 * Ends threads of this process safely. Node.js aborts the whole process if a thread ends between the creation of a
 * zlib stream and its initialization. A thread is therefore ended while no thread uses zlib.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { getEnvironmentData, setEnvironmentData, type Worker } from 'node:worker_threads';

/** The name of the shared memory. Each thread inherits it from the one that started it. */
const NAME = 'opbench-uses-of-zlib';

/** The shared cell: how many threads use zlib, plus this number for each thread that is being ended. */
const ENDING = 2 ** 16;

/** After this, a thread is ended in any case, because a thread that failed may have left its use counted. */
const PATIENCE_MS = 2_000;

const inherited = getEnvironmentData(NAME);
const memory = inherited instanceof SharedArrayBuffer ? inherited : new SharedArrayBuffer(4);
/** The thread that starts all others is never ended, and need not count. */
const isFirst = memory !== inherited;
const cell = new Int32Array(memory);
if (isFirst) setEnvironmentData(NAME, memory);

/** Wraps a function that creates a zlib stream. */
export function whole<Args extends unknown[], Result>(
  work: (...args: Args) => Result,
): (...args: Args) => Result {
  if (isFirst) return work;
  return (...args) => {
    enter();
    try {
      return work(...args);
    } finally {
      Atomics.sub(cell, 0, 1);
    }
  };
}

/** Ends a thread, whatever it is doing. */
export async function endThread(worker: Worker): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS;
  Atomics.add(cell, 0, ENDING);
  try {
    while (Atomics.load(cell, 0) % ENDING > 0 && performance.now() < endMs) await delay(1);
    await worker.terminate();
  } finally {
    Atomics.sub(cell, 0, ENDING);
    Atomics.notify(cell, 0);
  }
}

/** Waits while a thread is being ended, which may be this one. */
function enter(): void {
  for (;;) {
    const uses = Atomics.load(cell, 0);
    if (uses >= ENDING) Atomics.wait(cell, 0, uses);
    else if (Atomics.compareExchange(cell, 0, uses, uses + 1) === uses) return;
  }
}
