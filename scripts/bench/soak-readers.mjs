// Readers during the soak test (../soak.mjs): pages, Markdown, pictures and JSON, with and without conditions, and
// calls of the MCP server.
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import { keepDoing } from './paced.mjs';
import { addressOf } from './soak-client.mjs';
import { codenameOf } from './seed.mjs';

const ENCODINGS = ['br', 'gzip', 'identity'];
/** The share of conditional reads. */
const CONDITIONAL = 0.3;
/** The number of responses whose ETags are stored. */
const REMEMBERED = 200;
const MCP_HEADERS = { Accept: 'application/json, text/event-stream' };

/** Functions that return the address of a random read, by kind. */
function readsOf({ random, operators }) {
  const oneOf = (list) => list[Math.floor(random() * list.length)];
  const someone = () => codenameOf(Math.floor(random() * operators));
  const two = () => {
    const first = Math.floor(random() * operators);
    const second = (first + 1 + Math.floor(random() * (operators - 1))) % operators;
    return [first, second].map(codenameOf).sort();
  };
  const text = () => Math.floor(1e6 * random()).toString(36);
  const board = () => `${oneOf(WINDOWS)}/${oneOf(METRIC_NAMES)}`;
  return {
    page: () => oneOf(['/', '/metrics', '/science', '/privacy', '/developers', '/challenges']),
    'board page': () => `/leaderboard/${board()}`,
    'board search': () => `/leaderboard/${board()}?q=${text()}`,
    'operator page': () => `/operators/${someone()}`,
    'operators compared': () => `/compare?with=${two()}`,
    markdown: () =>
      oneOf(['/index.md', `/operators/${someone()}.md`, `/leaderboard/${board()}.md`]),
    file: () => oneOf(['/feed.atom', '/sitemap.xml', '/llms.txt', '/openapi.json', '/robots.txt']),
    picture: () => oneOf(['/open-graph.png', `/badge/${someone()}.svg`]),
    leaderboard: () => `/api/v1/leaderboard?window=${oneOf(WINDOWS)}`,
    'filtered leaderboard': () => `/api/v1/leaderboard?tool=codex&q=${text()}`,
    'leaderboard as CSV': () => `/api/v1/leaderboard?format=csv&q=${text()}`,
    operator: () => `/api/v1/operators/${someone()}`,
    history: () => `/api/v1/operators/${someone()}/history`,
    records: () => `/api/v1/operators/${someone()}/records`,
    peers: () => `/api/v1/operators/${someone()}/peers`,
    lists: () => oneOf(['/api/v1/submissions', '/api/v1/metrics/leaders', '/submissions']),
    log: () => `/api/v1/log?since=${Math.floor(operators * random())}`,
  };
}

/** While an operator is being hidden or deleted, the log file is not available, also for current downloads. */
const LOG_FILE = { path: '/log.ndjson.gz', expect: [200, 304, 503], mayBreak: true };

/** Invalid addresses, with the expected status. */
const MISTAKES = [
  ['/api/v1/leaderboard?window=1y', 400],
  ['/api/v1/operators/nobody-of-this-name', 404],
  ['/no-such-page', 404],
  ['/api/v1/me', 401],
];

/** Reads continuously. */
export async function read(client, { operators, random, ...soak }) {
  const kinds = Object.entries(readsOf({ random, operators }));
  const tags = new Map();
  await keepDoing(25, { ...soak, tally: client.tally }, async () => {
    if (random() < 0.01) return askWrongly(client, random);
    if (random() < 0.01) return client.ask('log file', LOG_FILE);
    const [kind, pathOf] = kinds[Math.floor(random() * kinds.length)];
    const path = pathOf();
    const encoding = ENCODINGS[Math.floor(random() * ENCODINGS.length)];
    const headers = { 'Accept-Encoding': encoding };
    const tag = random() < CONDITIONAL ? tags.get(`${encoding} ${path}`) : undefined;
    if (tag !== undefined) headers['If-None-Match'] = tag;
    const answer = await client.ask(kind, { path, headers, expect: [200, 304] });
    if (answer?.headers.etag) remember(tags, `${encoding} ${path}`, answer.headers.etag);
  });
}

function remember(tags, address, tag) {
  tags.delete(address);
  tags.set(address, tag);
  if (tags.size > REMEMBERED) tags.delete(tags.keys().next().value);
}

function askWrongly(client, random) {
  const [path, status] = MISTAKES[Math.floor(random() * MISTAKES.length)];
  return client.ask('mistake', { path, expect: [status] });
}

/** Calls tools of the MCP server. */
export async function callTools(client, { operators, random, ...soak }) {
  const calls = [
    () => ['get_leaderboard', { tool: 'codex', q: Math.floor(1e6 * random()).toString(36) }],
    () => ['get_operator', { codename: codenameOf(Math.floor(operators * random())) }],
    () => ['get_hall_of_signal', {}],
    () => ['metric_leaders', {}],
  ];
  await keepDoing(10, { ...soak, tally: client.tally }, async (turn) => {
    const [name, args] = calls[turn % calls.length]();
    const isListing = turn % 10 === 0;
    const called = { method: 'tools/call', params: { name, arguments: args } };
    const listed = { method: 'tools/list', params: {} };
    const message = { jsonrpc: '2.0', id: turn, ...(isListing ? listed : called) };
    const headers = { ...MCP_HEADERS, 'X-Forwarded-For': addressOf(random) };
    const answer = await client.post('MCP', '/api/mcp', message, { headers });
    const { result } = answer?.status === 200 ? JSON.parse(answer.body.toString()) : {};
    if (answer && (result === undefined || result.isError)) {
      client.tally.fault(`MCP ${name} answered ${answer.body.subarray(0, 300)}`);
    }
  });
}
