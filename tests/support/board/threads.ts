/** The worker threads that a test starts, and their end. */
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished } from 'vitest';

/** The threads that were started since, oldest first. */
export function startedThreads(): Worker[] {
  const threads: Worker[] = [];
  const add = (worker: Worker) => void threads.push(worker);
  process.on('worker', add);
  onTestFinished(() => void process.off('worker', add));
  return threads;
}

/** Waits until the only thread that was started has ended, and forgets it. */
export async function endOf(threads: Worker[]): Promise<void> {
  expect(threads).toHaveLength(1);
  const thread = threads.pop();
  if (thread && thread.threadId > 0) await once(thread, 'exit');
}
