/** Preloaded into a server that serves every file of a test worker: it ends when the worker does, and takes its data along. */
import { rmSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  process.once('disconnect', () => {
    rmSync(process.env.DATA_DIR, { recursive: true, force: true });
    process.kill(process.pid, 'SIGKILL');
  });
}
