// The built server on the board of scale.mjs, with what it logs about publications and its event loop.
import { fileURLToPath } from 'node:url';
import { startBoard } from './lib.mjs';

const [EVENT_LOOP, SET_CLOCK] = ['event-loop.mjs', 'set-clock.mjs'].map((name) => {
  return fileURLToPath(new URL(name, import.meta.url));
});
/** How often the preloaded module logs event loop delay, in milliseconds. */
const REPORT_MS = 100;

/**
 * Runs `use` with the board while the built server serves it. It publishes rarely enough for changes and requests in
 * between.
 *
 * @param options.clockOffsetMs By how much its clock is ahead.
 */
export async function whileServed({ config }, { operators, clockOffsetMs = 0 }, use) {
  const startedMs = performance.now();
  const board = await startBoard({
    dataDir: config.dataDir,
    refreshSeconds: 2 + operators / 10_000,
    execArgv: ['--import', EVENT_LOOP, '--import', SET_CLOCK],
    env: { BASE_URL: config.baseUrl, CLOCK_OFFSET_MS: String(clockOffsetMs) },
    isQuiet: true,
  });
  const held = [];
  const publications = [];
  board.events.on('event', (line) => {
    if (line.event === 'event_loop') held.push({ atMs: Date.now(), ms: line.max_ms });
    else if (line.event === 'published') publications.push(publicationOf(line));
    else if (line.level === 'error') process.stderr.write(`${JSON.stringify(line)}\n`);
  });
  try {
    const url = await board.url;
    const startedSeconds = (performance.now() - startedMs) / 1000;
    return await use({ ...board, url, held, publications, startedSeconds });
  } finally {
    await board.stop();
  }
}

function publicationOf({ time, projected_ms, rendered_ms }) {
  const ms = projected_ms + rendered_ms;
  return { time, fromMs: Date.now() - ms, toMs: Date.now(), seconds: ms / 1000 };
}

/** The longest block of the event loop during a publication, in milliseconds. */
export function mostHeld({ fromMs, toMs }, held) {
  const during = held.filter(({ atMs }) => atMs > fromMs && atMs < toMs + REPORT_MS);
  return Math.max(0, ...during.map(({ ms }) => ms));
}
