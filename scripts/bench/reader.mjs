// Measures a reader and its writer: the time from its start until it shows the board, the time until it shows a new
// publication, and requests per second of both, in turns.
//   --operators 10000
//   --days 30            the days of each operator
//   --seconds 3          of each round
import { startS3 } from '#tests/support/store/s3-server.ts';
import { generateLoad, repeat, requestBytes } from './load.mjs';
import { interleave, median, readOptions, report, round, startBoard, withFolder } from './lib.mjs';
import { BASE_URL, codenameOf, openContext, seedBoard } from './seed.mjs';

const options = readOptions({ operators: 10_000, days: 30, seconds: 3, rounds: 3 });
const { operators, days, seconds, rounds } = options;
const CONNECTIONS = 32;

await withFolder(async (dataDir) => {
  const ctx = openContext(dataDir, { now: () => new Date() });
  seedBoard(ctx, { operators, days });
  ctx.store.close();
  const s3 = await startS3();
  const env = { ...s3.env, BASE_URL };
  const writer = await startBoard({ dataDir, env });
  const WRITER_URL = await writer.url;
  while (!(await s3.keys()).includes('current')) await new Promise((done) => setTimeout(done, 500));
  const starts = [];
  for (let at = 0; at < rounds; at += 1) starts.push(await timeToShow(s3, WRITER_URL));
  const reader = await aReader(s3, WRITER_URL);
  await published(reader);
  const readerUrl = await reader.url;
  const pages = ['/', `/operators/${codenameOf(operators - 1)}`, '/api/v1/leaderboard?limit=100'];
  const rows = [
    { what: 'start until the board is shown, ms', writer: null, reader: round(median(starts)) },
  ];
  for (const page of pages) {
    const rates = await interleave(rounds, {
      writer: () => rate(WRITER_URL, page),
      reader: () => rate(readerUrl, page),
    });
    const { writer: w, reader: r } = rates;
    rows.push({ what: `${page}, requests/s`, writer: round(median(w)), reader: round(median(r)) });
  }
  report(options, `A reader of ${operators} operators`, rows, {});
  await Promise.all([reader.stop(), writer.stop()]);
  await s3.stop();
});

function aReader(s3, WRITER_URL) {
  return startBoard({ env: { ...s3.env, WRITER_URL, OPBENCH_ROLE: 'reader' } });
}

function published({ events }) {
  return new Promise((resolve) => {
    events.on('event', (line) => line.event === 'published' && resolve(line));
  });
}

async function timeToShow(s3, writerUrl) {
  const startedMs = performance.now();
  const reader = await aReader(s3, writerUrl);
  const { loaded_ms, rendered_ms } = await published(reader);
  const ms = performance.now() - startedMs;
  console.error(
    `shown after ${Math.round(ms)} ms, loaded in ${loaded_ms} ms, rendered in ${rendered_ms} ms`,
  );
  await reader.stop();
  return ms;
}

async function rate(url, page) {
  const bytes = requestBytes(BASE_URL, page, { headers: { 'Accept-Encoding': 'br' } });
  await generateLoad({ url, connections: 1, next: repeat(bytes, 100), status: 200 });
  const next = repeat(bytes, seconds * 1000);
  return (await generateLoad({ url, connections: CONNECTIONS, next, status: 200 })).rate;
}
