// Ends threads while they compress. If this were not safe, Node.js would abort this process.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { endThread } from '#db/threads/thread-end.ts';

const THREAD = new URL('compressing-thread.mjs', import.meta.url);

for (let turn = 0; turn < 12; turn += 1) {
  const threads = [new Worker(THREAD, { workerData: {} }), new Worker(THREAD, { workerData: {} })];
  await Promise.all(threads.map((thread) => once(thread, 'message')));
  await Promise.all(threads.map(endThread));
}
