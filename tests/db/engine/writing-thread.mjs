// Writes as often as possible, in the way of the projecting thread, until it is ended.
import { parentPort, workerData } from 'node:worker_threads';
import { openStore } from '#db/store.ts';

const store = openStore({ ...workerData, now: () => new Date() });
parentPort.postMessage('writes');
for (;;) {
  store.transaction(() => {
    for (let row = 0; row < 500; row += 1) {
      store.publications.begin({ log_index: 1, as_of: '', ruleset: '', generated_at: '' });
    }
  });
}
