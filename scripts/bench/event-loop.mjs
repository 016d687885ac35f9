// Preloaded into the server (`--import`): tells on stderr, as JSON lines, how long its main thread's
// event loop was held up (the sampling interval included) and how much memory the process holds.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const SAMPLE_MS = 2;
const REPORT_MS = 100;

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  delay.enable();
  setInterval(() => {
    const line = {
      event: 'event_loop',
      max_ms: delay.max / 1e6,
      p99_ms: delay.percentile(99) / 1e6,
      rss_mb: process.memoryUsage.rss() / 2 ** 20,
    };
    process.stderr.write(`${JSON.stringify(line)}\n`);
    delay.reset();
  }, REPORT_MS).unref();
}
