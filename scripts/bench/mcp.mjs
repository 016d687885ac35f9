// Calls of the remote MCP server beside the REST read of the same question, neither answered before: a board of
// 1,000 operators filtered by a text. One connection at a time and 200 at once, in turns; then 200 at once of which
// each answer is compared with that of the REST API, and how much memory the server holds after each thousand.
import {
  interleave,
  median,
  medianRatio,
  quantile,
  readOptions,
  report,
  round,
  startBoard,
  withFolder,
} from './lib.mjs';
import { generateLoad, requestBytes } from './load.mjs';
import { memoryOf } from './process-stats.mjs';
import { openBoardStore, seedBoard } from './seed.mjs';

const CONNECTIONS = 200;
const REVISION = '2026-07-28';
const options = readOptions({
  operators: { type: 'string', default: '1000' },
  calls: { type: 'string', default: '2000' },
  rounds: { type: 'string', default: '5' },
});
const [operators, calls, rounds] = ['operators', 'calls', 'rounds'].map((name) =>
  Number(options[name]),
);

/** Questions that nobody asked before. */
let asked = 0;
const nextQuestion = () => ({ tool: 'codex', q: String(asked++), limit: 50 });

const MCP_HEADERS = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};
const MODERN_HEADERS = {
  ...MCP_HEADERS,
  'MCP-Protocol-Version': REVISION,
  'Mcp-Method': 'tools/call',
  'Mcp-Name': 'get_leaderboard',
};
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

function messageOf(question, id, more = {}) {
  const params = { name: 'get_leaderboard', arguments: question, ...more };
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
}

const CONTESTANTS = {
  REST: (url) => requestBytes(url, `/api/v1/leaderboard?${new URLSearchParams(nextQuestion())}`),
  [`MCP ${REVISION}`]: (url) => {
    const body = messageOf(nextQuestion(), 1, { _meta: ENVELOPE });
    return requestBytes(url, '/api/mcp', { method: 'POST', headers: MODERN_HEADERS, body });
  },
  'MCP 2025-11-25': (url) => {
    const body = messageOf(nextQuestion(), 1);
    return requestBytes(url, '/api/mcp', { method: 'POST', headers: MCP_HEADERS, body });
  },
};

await withFolder(async (dataDir) => {
  const store = openBoardStore(dataDir);
  seedBoard(store, { operators, days: 30 });
  store.close();
  const board = await startBoard({ dataDir, isQuiet: true });
  const url = await board.url;
  const rows = [...(await compare(url, 1)), ...(await compare(url, CONNECTIONS))];
  const checked = await checkAll(url, () => Math.round(memoryOf(board.pid).rssMb));
  await board.stop();
  report(options, `MCP beside REST, ${operators} operators`, rows, checked);
});

/** Each contestant's milliseconds a call, in turns. */
async function compare(url, connections) {
  const share = connections === 1 ? 4 : 1;
  const load = (bytesOf) => async () => {
    let left = calls / share;
    const next = () => (left-- > 0 ? bytesOf(url) : null);
    const { rate, latencies, generatorBusy } = await generateLoad({
      ...{ url, connections, next, status: 200 },
    });
    return { busyMs: 1000 / rate, latencies, generatorBusy };
  };
  const contestants = Object.entries(CONTESTANTS).map(([name, bytesOf]) => [name, load(bytesOf)]);
  const results = await interleave(rounds, Object.fromEntries(contestants));
  const costOf = (name) => results[name].map(({ busyMs }) => busyMs);
  return Object.keys(CONTESTANTS).map((name) => ({
    connections,
    call: name,
    'ms a call': round(median(costOf(name)), 3),
    'times REST': round(medianRatio(costOf(name), costOf('REST')), 2),
    'median ms': round(median(results[name].flatMap(({ latencies }) => latencies)), 1),
    'p99 ms': round(
      quantile(
        results[name].flatMap(({ latencies }) => latencies),
        0.99,
      ),
      1,
    ),
    'generator busy': round(median(results[name].map(({ generatorBusy: busy }) => busy)), 2),
  }));
}

/** Calls 200 at a time and compares every answer with the REST API's; tells what the server holds meanwhile. */
async function checkAll(url, residentOf) {
  const answers = { right: 0, wrong: 0, lost: 0 };
  const rssMb = [residentOf()];
  const truths = await Promise.all([1, 2, 5, 10, 50].map((limit) => restAnswer(url, limit)));
  let begun = 0;
  const work = async () => {
    while (begun < rounds * calls) {
      const id = begun++;
      if (id > 0 && id % calls === 0) rssMb.push(residentOf());
      answers[await judge(url, id, truths[id % truths.length])] += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  rssMb.push(residentOf());
  return { 'answers, 200 at once': answers, 'RSS MB after each round': rssMb };
}

async function restAnswer(url, limit) {
  const answer = await fetch(`${url}/api/v1/leaderboard?tool=codex&limit=${limit}`);
  return { limit, text: JSON.stringify(await answer.json()) };
}

async function judge(url, id, { limit, text }) {
  const body = messageOf({ tool: 'codex', limit }, id);
  const init = { method: 'POST', headers: MCP_HEADERS, body };
  try {
    const { id: of, result } = await (await fetch(`${url}/api/mcp`, init)).json();
    return of === id && JSON.stringify(result?.structuredContent) === text ? 'right' : 'wrong';
  } catch {
    return 'lost';
  }
}
