// Preloaded into a server: reports on stderr, as JSON lines, when and for how long its main thread was blocked,
// by the CPU time of the thread, so that other processes do not count.
import { isMainThread } from 'node:worker_threads';

const TOLD_MS = 20;

if (isMainThread) {
  let last = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(last);
    last = process.threadCpuUsage();
    const cpu_ms = Math.round((user + system) / 1000);
    if (cpu_ms < TOLD_MS) return;
    process.stderr.write(`${JSON.stringify({ event: 'busy', at: Date.now(), cpu_ms })}\n`);
  }, 1).unref();
}
