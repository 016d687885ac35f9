// Preloaded into the server (`--import`). Logs to stderr, as JSON lines, how long the event loop of the main
// thread was blocked, including the sampling interval.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const SAMPLE_MS = 2;
const REPORT_MS = 100;

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  delay.enable();
  setInterval(() => {
    process.stderr.write(`${JSON.stringify({ event: 'event_loop', max_ms: delay.max / 1e6 })}\n`);
    delay.reset();
  }, REPORT_MS).unref();
}
