// Preloaded into the server (`--expose-gc --import`). Each thread logs its memory after garbage collection to stderr,
// as JSON lines, every `SAMPLE_MS` milliseconds.
import { writeSync } from 'node:fs';
import { isMainThread, threadId } from 'node:worker_threads';

const MB = 2 ** 20;

setInterval(tell, Number(process.env.SAMPLE_MS ?? 15_000)).unref();

function tell() {
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  const held = { heap_mb: heapUsed / MB, buffers_mb: arrayBuffers / MB };
  const thread = isMainThread ? 'main' : `thread ${threadId}`;
  writeSync(2, `${JSON.stringify({ event: 'memory', thread, ...held })}\n`);
}
