// On each SIGUSR2, half a minute of the monotonic clock passes at once.
const SKIPPED_MS = 30_000;
const { performance } = globalThis;
const now = performance.now.bind(performance);
let skippedMs = 0;
performance.now = () => now() + skippedMs;
process.on('SIGUSR2', () => {
  skippedMs += SKIPPED_MS;
});
