/** Preloaded into a server that serves every file of a test worker: ends it and deletes its data when the worker ends. */
import { rmSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  process.once('disconnect', () => {
    rmSync(process.env.DATA_DIR, { recursive: true, force: true });
    process.kill(process.pid, 'SIGKILL');
  });
}
