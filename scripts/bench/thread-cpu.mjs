// Preloaded into the server (`--import`): on SIGUSR2 tells on stderr, as a JSON line, how long its main thread
// has computed, and how long its event loop was held up at most since it told that last.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const SAMPLE_MS = 2;

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  delay.enable();
  process.on('SIGUSR2', () => {
    const { user, system } = process.threadCpuUsage();
    const told = { event: 'thread_cpu', cpu_ms: (user + system) / 1000, held_ms: delay.max / 1e6 };
    process.stderr.write(`${JSON.stringify(told)}\n`);
    delay.reset();
  });
}
