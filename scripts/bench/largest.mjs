// What one account can cost the readers of a board: an operator with more providers than a board takes (as boards
// up to 0.8.0 took them, written straight into the store), read in every form. For each address: its bytes, how long
// it took, the longest block of the main thread meanwhile, and the median of the front page asked beside it.
import { setTimeout as pause } from 'node:timers/promises';
import { dayName, dayNumber, utcDay } from '#core/domain/counting/day.ts';
import { median, readOptions, report, round, startBoard, withFolder } from './lib.mjs';
import { askSteadily } from './paced.mjs';
import { memoryOf } from './process-stats.mjs';
import { codenameOf, openBoardStore, seedBoard, stateUsage } from './seed.mjs';

/** What a submission may hold, and how many of them an operator's buckets came from. */
const RECORDS = 5000;
/** The monitor tells so much later, at most, what it saw. */
const REPORT_MS = 250;
const options = readOptions({
  submissions: { type: 'string', default: '19' },
  operators: { type: 'string', default: '200' },
  heap: { type: 'string', default: '' },
});
const submissions = Number(options.submissions);
const operators = Number(options.operators);
const WIDE = codenameOf(0);
const OTHER = codenameOf(1);

const ADDRESSES = {
  HTML: `/operators/${WIDE}`,
  JSON: `/api/v1/operators/${WIDE}`,
  Markdown: `/operators/${WIDE}.md`,
  'HTML with=': `/operators/${WIDE}?with=${OTHER}`,
  'Markdown with=': `/operators/${WIDE}.md?with=${OTHER}`,
  'Markdown as with=': `/operators/${OTHER}.md?with=${WIDE}`,
  MCP: null,
  history: `/api/v1/operators/${WIDE}/history?window=all_time`,
  records: `/api/v1/operators/${WIDE}/records?limit=100`,
  'records CSV': `/api/v1/operators/${WIDE}/records?limit=100&format=csv`,
  peers: `/api/v1/operators/${WIDE}/peers?limit=20`,
  badge: `/badge/${WIDE}.svg`,
  'board HTML': '/leaderboard/90d/yield',
  'board Markdown': '/leaderboard/90d/yield.md',
  'board JSON': '/api/v1/leaderboard?window=90d&limit=100&include=unranked',
  'board CSV': '/api/v1/leaderboard?window=90d&limit=100&include=unranked&format=csv',
  '/developers': '/developers',
  '/developers.md': '/developers.md',
  '/sitemap.xml': '/sitemap.xml',
  '/llms.txt': '/llms.txt',
  '/feed.atom': '/feed.atom',
  '/metrics.md': '/metrics.md',
  '/methodology.md': '/methodology.md',
};

await withFolder(async (dataDir) => {
  const store = openBoardStore(dataDir);
  const [wide] = seedBoard(store, { operators, days: 90 });
  for (let at = 0; at < submissions; at += 1) {
    store.transaction(() => stateUsage(store, wide, wideBuckets(at)));
  }
  store.close();
  const board = await startBoard({
    dataDir,
    isQuiet: true,
    execArgv: [
      ...(options.heap ? [`--max-old-space-size=${options.heap}`] : []),
      ...['--import', new URL('event-loop.mjs', import.meta.url).pathname],
    ],
  });
  const url = await board.url;
  await pause(REPORT_MS);
  const rows = [];
  for (const [name, path] of Object.entries(ADDRESSES)) {
    rows.push(await measure(board, url, name, path));
    if (!options.json) process.stderr.write(`${JSON.stringify(rows.at(-1))}\n`);
  }
  const { peakMb } = memoryOf(board.pid);
  await board.stop();
  report(options, `an operator of ${submissions * RECORDS} pairs`, rows, {
    'peak MB': round(peakMb),
  });
});

/** 5,000 records of one day, each of a provider of its own. */
function wideBuckets(at) {
  const day = dayName(dayNumber(utcDay(Date.now())) - at);
  return Array.from({ length: RECORDS }, (_, index) => ({
    day,
    tool: 'claude-code',
    provider: `provider-${at}-${index}`,
    model: `model-${index % 190}`,
    input: 100,
    output: 200 + index,
    cache_write: 50,
    cache_read: 1000,
  }));
}

async function measure(board, url, name, path) {
  let longest = 0;
  const hear = ({ event, max_ms }) => {
    if (event === 'event_loop') longest = Math.max(longest, max_ms);
  };
  board.events.on('event', hear);
  let isOver = false;
  const beside = askSteadily(
    url,
    { front: { perSecond: 50, next: () => ({ path: '/' }) } },
    () => isOver,
  );
  const startedMs = performance.now();
  const answered = path === null ? await callTool(url) : await fetch(url + path);
  const bytes = (await answered.arrayBuffer()).byteLength;
  const ms = performance.now() - startedMs;
  await pause(REPORT_MS);
  isOver = true;
  const { front } = await beside;
  board.events.off('event', hear);
  return {
    read: name,
    status: answered.status,
    bytes,
    ms: round(ms),
    'longest block ms': round(longest),
    'front median ms': round(median(front.map((sample) => sample.ms)), 1),
    'front most ms': round(Math.max(...front.map((sample) => sample.ms)), 1),
  };
}

function callTool(url) {
  const params = { name: 'get_operator', arguments: { codename: WIDE } };
  return fetch(`${url}/api/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
}
