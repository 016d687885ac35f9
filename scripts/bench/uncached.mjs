// Reads that nobody asked for before, over HTTP from the built server: 10,000 operators with 90 days.
// Each request names another text or operator, so that none is finished already. One connection, one
// request at a time. Aim: a filtered leaderboard (tool and q, 50 entries) in less than 10 ms, median.
import { Agent, request } from 'node:http';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import { median, quantile, readOptions, report, round, startBoard, withFolder } from './lib.mjs';
import { openBoardStore, seedBoard } from './seed.mjs';

const REQUESTS = 400;
const options = readOptions({ operators: { type: 'string', default: '10000' } });
const operators = Number(options.operators);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const codenameOf = (index) => `synthetic-${String(index % operators).padStart(6, '0')}`;
const READS = {
  'board by tool': (index) => {
    const window = WINDOWS[Math.floor(index / 100) % WINDOWS.length];
    return `/api/v1/leaderboard?tool=codex&window=${window}&limit=${1 + (index % 100)}`;
  },
  'board by tool and q': (index) => `/api/v1/leaderboard?tool=codex&q=${index}`,
  'board by tool and q, CSV': (index) => `/api/v1/leaderboard?tool=codex&format=csv&q=${index}`,
  operator: (index) => `/api/v1/operators/${codenameOf(index * 7)}`,
  history: (index) => `/api/v1/operators/${codenameOf(index * 11)}/history?window=90d`,
  records: (index) => `/api/v1/operators/${codenameOf(index * 13)}/records`,
  log: (index) => `/api/v1/log?since=${index * 20}`,
};

await withFolder(async (dataDir) => {
  const store = openBoardStore(dataDir);
  seedBoard(store, { operators, days: 90 });
  store.close();
  const board = await startBoard({ dataDir });
  const url = await board.url;
  const rows = [];
  for (const [read, addressOf] of Object.entries(READS)) {
    const latencies = [];
    for (let index = 0; index < REQUESTS; index += 1) {
      latencies.push(await latencyOf(url + addressOf(index)));
    }
    rows.push({
      read,
      'median ms': round(median(latencies), 2),
      'p99 ms': round(quantile(latencies, 0.99), 2),
      'most ms': round(Math.max(...latencies), 2),
    });
  }
  agent.destroy();
  await board.stop();
  report(options, `uncached reads of a board of ${operators} operators`, rows);
});

/** Milliseconds until the whole answer is there. */
function latencyOf(address) {
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { 'Accept-Encoding': 'br' };
    request(address, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${address}: ${response.statusCode}`));
      response.resume().on('end', () => resolve(performance.now() - startedMs));
    })
      .on('error', reject)
      .end();
  });
}
