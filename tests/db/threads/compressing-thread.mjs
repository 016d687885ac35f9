import { parentPort, Worker, workerData } from 'node:worker_threads';
import * as compression from '#db/threads/compression.ts';

// Another thread compresses as well, and ends with this one.
if (!workerData.isHelper) {
  const helper = new Worker(new URL(import.meta.url), { workerData: { isHelper: true } });
  helper.once('message', () => run());
} else run();

function run() {
  parentPort.postMessage('compresses');
  const bytes = Buffer.from('text');
  for (;;) compression.inflateRawSync(compression.deflateRawSync(bytes));
}
