/** What another thread of a scan does. It begins when this module is loaded. */
import { parentPort, workerData } from 'node:worker_threads';
import { outcomesOf, packed, type Sent, type Shared } from './read-all.ts';

for await (const [, outcome, at] of outcomesOf(workerData as Shared, () => undefined)) {
  const sent: Sent = { at, outcome: packed(outcome) };
  parentPort?.postMessage(sent);
}
