/** What is public on a board, and which operators of a board with all modes appear there. */
import { WINDOWS } from '#core/domain/metrics/window.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { daysAgo } from '../agent/installation.ts';
import { docsFiles } from '../pages/docs-files.ts';

/** All operators with a row: identified ones under their display name, anonymous ones under their alias. */
export const ON_THE_BOARD = [
  'codename of identified',
  'display_name of identified',
  'codename of pseudonymous',
  'alias of anonymous',
].sort();
/** All operators with a page. */
export const OPEN = ['codename of identified', 'codename of pseudonymous'];

export interface Surface {
  /** Public addresses without an operator in them. */
  addresses?: readonly string[];
  /** The operators who appear on each of them. */
  shows?: readonly string[];
  /** Read for each operator, with one of their names as `{name}` or their submission as `{id}`. */
  ofOperator?: readonly string[];
}

const YEAR = daysAgo(1).slice(0, 4);
const earlier = `as_of=${daysAgo(1)}`;
const all = 'window=all_time&include=unranked&trust=all';

/** Every public read of the API, by its ID. */
export const READS: Record<string, Surface> = {
  getLeaderboard: {
    addresses: [
      '/api/v1/leaderboard',
      `/api/v1/leaderboard?${all}`,
      `/api/v1/leaderboard?${all}&format=csv`,
      '/api/v1/leaderboard?tool=claude-code&format=csv',
      `/api/v1/leaderboard?${earlier}`,
      `/api/v1/leaderboard?${earlier}&include=unranked&format=csv`,
    ],
    shows: ON_THE_BOARD,
  },
  getHallOfSignal: {
    addresses: ['/api/v1/hall-of-signal', '/api/v1/hall-of-signal?format=csv'],
    shows: ON_THE_BOARD,
  },
  listChallenges: { addresses: ['/api/v1/challenges'] },
  getChallenge: {
    addresses: ['running', 'over'].flatMap((id) => {
      return [`/api/v1/challenges/${id}`, `/api/v1/challenges/${id}?format=csv`];
    }),
    shows: ON_THE_BOARD,
  },
  getMetricLeaders: { addresses: ['/api/v1/metrics/leaders'], shows: ON_THE_BOARD },
  getOperator: {
    ofOperator: [
      '/api/v1/operators/{name}',
      '/api/v1/operators/{name}?window=7d&tool=claude-code',
      `/api/v1/operators/{name}?${earlier}`,
    ],
  },
  getOperatorHistory: {
    ofOperator: ['/api/v1/operators/{name}/history', '/api/v1/operators/{name}/history?format=csv'],
  },
  getOperatorRecords: {
    ofOperator: ['/api/v1/operators/{name}/records', '/api/v1/operators/{name}/records?format=csv'],
  },
  getOperatorKeys: { ofOperator: ['/api/v1/operators/{name}/keys'] },
  getOperatorPeers: {
    ofOperator: ['/api/v1/operators/{name}/peers', '/api/v1/operators/{name}/peers?limit=20'],
  },
  listSubmissions: {
    addresses: ['/api/v1/submissions', '/api/v1/submissions?trust=signed&format=csv'],
    shows: OPEN,
    ofOperator: ['/api/v1/submissions?codename={name}'],
  },
  getSubmission: { ofOperator: ['/api/v1/submissions/{id}'] },
  getSubmissionEnvelope: { ofOperator: ['/api/v1/submissions/{id}/envelope'] },
  listDays: { addresses: ['/api/v1/days', '/api/v1/days?format=csv'] },
  getLog: { addresses: ['/api/v1/log', '/api/v1/log?format=csv'], shows: OPEN },
  getBoardKeys: { addresses: ['/.well-known/opbench-keys.json'] },
  getLogProof: { addresses: ['/api/v1/log/proof?log_index=1'] },
  getLogConsistency: { addresses: ['/api/v1/log/consistency?from=1'] },
  getSession: { addresses: ['/api/auth/session'] },
  getProtectedResource: { addresses: ['/.well-known/oauth-protected-resource'] },
  getMcpProtectedResource: { addresses: ['/.well-known/oauth-protected-resource/api/mcp'] },
  getAuthorizationServer: { addresses: ['/.well-known/oauth-authorization-server'] },
  getOpenidConfiguration: { addresses: ['/.well-known/openid-configuration'] },
  getProviderKeys: { addresses: ['/.well-known/jwks.json'] },
  getOpenApi: { addresses: ['/openapi.json'] },
  getServerCard: { addresses: ['/api/mcp/server-card'] },
  getMcpManifest: { addresses: ['/.well-known/mcp.json'] },
  getWellKnownServerCard: { addresses: ['/.well-known/mcp/server-card.json'] },
  getAiCatalog: { addresses: ['/.well-known/ai-catalog.json'] },
};

/** Every window and every metric once, because the same page draws all of them. */
const BOARDS = [
  ...WINDOWS.map((window) => `${window}/yield`),
  ...METRIC_NAMES.filter((metric) => metric !== 'yield').map((metric) => `30d/${metric}`),
];

/** Every page, by its file. Pages without addresses show an account to its owner only. */
export const PAGES: Record<string, Surface> = {
  'index.astro': { addresses: ['/'], shows: ON_THE_BOARD },
  'leaderboard/[window]/[metric].astro': {
    addresses: [
      ...BOARDS.map((board) => `/leaderboard/${board}`),
      '/leaderboard/30d/yield?tool=claude-code&trust=all',
      '/leaderboard/30d/yield?q=o',
    ],
    shows: ON_THE_BOARD,
  },
  'developers.astro': { addresses: ['/developers'] },
  'developers/[group].astro': {
    addresses: ['/developers/operators'],
    shows: ['codename of identified'],
  },
  'developers/limits.astro': { addresses: ['/developers/limits'] },
  'developers/mcp.astro': { addresses: ['/developers/mcp'] },
  'developers/types.astro': { addresses: ['/developers/types'] },
  'developers/protocol.astro': { addresses: ['/developers/protocol'] },
  'developers/protocol.json.ts': { addresses: ['/developers/protocol.json'] },
  'developers/vectors.json.ts': { addresses: ['/developers/vectors.json'] },
  'methodology.astro': { addresses: ['/methodology'] },
  'methodology/counting.astro': { addresses: ['/methodology/counting'] },
  'methodology/logs.astro': { addresses: ['/methodology/logs'] },
  'methodology/metrics.astro': { addresses: ['/methodology/metrics'] },
  'methodology/ranking.astro': { addresses: ['/methodology/ranking'] },
  'methodology/rules.astro': { addresses: ['/methodology/rules'] },
  'science.astro': { addresses: ['/science'] },
  'science/intervals.astro': { addresses: ['/science/intervals'] },
  'science/errors.astro': { addresses: ['/science/errors'] },
  'science/checks.astro': { addresses: ['/science/checks'] },
  'science/signatures.astro': { addresses: ['/science/signatures'] },
  'docs/index.astro': { addresses: ['/docs'] },
  'docs/[section]/index.astro': { addresses: ['/docs/join'] },
  'docs/[section]/[page].astro': {
    addresses: docsFiles().map(({ path }) => path),
  },
  'docs/search.astro': { addresses: ['/docs/search?q=operator'] },
  'log/checkpoint.ts': { addresses: ['/log/checkpoint'] },
  'log.ndjson.gz.ts': {
    addresses: ['/log.ndjson.gz'],
    shows: [...OPEN, 'alias of anonymous'].sort(),
  },
  'log/boards.ndjson.gz.ts': {
    addresses: ['/log/boards.ndjson.gz'],
    shows: [...OPEN, 'alias of anonymous'].sort(),
  },
  'log/tile/[...path].ts': { addresses: ['/log/tile/entries/000.p/1', '/log/tile/0/000.p/1'] },
  'log/payload/[...path].ts': { addresses: ['/log/payload/000'], shows: OPEN },
  // Only a board that began a new log has these.
  'log/[generation]/checkpoint.ts': {},
  'log/[generation]/tile/[...path].ts': {},
  'log/[generation]/payload/[...path].ts': {},
  'operators/[codename].astro': {
    ofOperator: [
      '/operators/{name}',
      '/operators/{name}?window=7d&tool=claude-code&trust=all&metric=snr',
    ],
  },
  'operators/[codename]/[period].astro': {
    ofOperator: [`/operators/{name}/${YEAR}`, `/operators/{name}/${daysAgo(1).slice(0, 7)}`],
  },
  'operators/[codename]/feed.atom.ts': { ofOperator: ['/operators/{name}/feed.atom'] },
  'submissions/index.astro': {
    addresses: ['/submissions', '/submissions?trust=signed'],
    shows: OPEN,
    ofOperator: ['/submissions?codename={name}'],
  },
  'submissions/[id].astro': { ofOperator: ['/submissions/{id}'] },
  'metrics/index.astro': { addresses: ['/metrics'], shows: ON_THE_BOARD },
  'metrics/[metric].astro': {
    addresses: METRIC_NAMES.map((metric) => `/metrics/${metric}`),
    shows: ON_THE_BOARD,
  },
  'compare.astro': {
    addresses: ['/compare'],
    // All names of this board come before this one, which is the order of names in addresses.
    ofOperator: ['', '&window=7d&tool=claude-code&trust=all'].map((query) => {
      return `/compare?with={name},op-pseudonymous${query}`;
    }),
  },
  'challenges/index.astro': { addresses: ['/challenges'] },
  'challenges/[id].astro': {
    addresses: ['/challenges/running', '/challenges/over'],
    shows: ON_THE_BOARD,
  },
  'tv.astro': {
    addresses: ['/tv'],
    // A display name is shown in place of the codename.
    shows: ON_THE_BOARD.filter((name) => name !== 'codename of identified'),
  },
  'classes.astro': { addresses: ['/classes'] },
  'hall-of-signal/index.astro': { addresses: ['/hall-of-signal'], shows: ON_THE_BOARD },
  'hall-of-signal/[metric].astro': {
    addresses: ['/hall-of-signal/leverage'],
    shows: ON_THE_BOARD,
  },
  'transparency.astro': { addresses: ['/transparency'] },
  'privacy.astro': { addresses: ['/privacy'] },
  'privacy/device.astro': { addresses: ['/privacy/device'] },
  'privacy/visits.astro': { addresses: ['/privacy/visits'] },
  'privacy/board.astro': { addresses: ['/privacy/board'] },
  'problems/index.astro': { addresses: ['/problems'] },
  'problems/[code].astro': { addresses: ['/problems/not_found'] },
  'badge/[codename].svg.ts': {
    addresses: ['anonymous', 'private', 'hidden', 'deleted'].map((name) => `/badge/op-${name}.svg`),
  },
  'shields/[codename].json.ts': {
    addresses: ['anonymous', 'private', 'hidden', 'deleted'].map(
      (name) => `/shields/op-${name}.json`,
    ),
  },
  'oembed.ts': { addresses: [`/oembed?url=${encodeURIComponent('http://127.0.0.1/')}`] },
  'embed/board.astro': {
    addresses: ['/embed/board?rows=10', '/embed/board?window=7d&metric=snr&theme=dark'],
    // A display name is shown in place of the codename.
    shows: ON_THE_BOARD,
  },
  'opbench-[version].tgz.ts': { addresses: ['/opbench-0.0.0.tgz'] },
  'opbench-[version].mcpb.ts': { addresses: ['/opbench-0.0.0.mcpb'] },
  'cards/[codename].png.ts': {
    addresses: ['anonymous', 'private', 'hidden', 'deleted'].map((name) => `/cards/op-${name}.png`),
  },
  'cards/compare/[names].png.ts': {
    addresses: ['anonymous', 'private', 'hidden', 'deleted'].map((name) => {
      return `/cards/compare/op-identified,op-${name}.png`;
    }),
  },
  'cards/[codename]/[year].png.ts': {
    addresses: ['anonymous', 'private', 'hidden', 'deleted'].map((name) => {
      return `/cards/op-${name}/${YEAR}.png`;
    }),
  },
  'cards/challenges/[id].png.ts': { addresses: ['/cards/challenges/over.png'] },
  'cards/records/[metric].png.ts': { addresses: ['/cards/records/leverage.png'] },
  'open-graph.png.ts': { addresses: ['/open-graph.png'] },
  'robots.txt.ts': { addresses: ['/robots.txt'] },
  'llms.txt.ts': { addresses: ['/llms.txt'] },
  'challenges/[id].atom.ts': { addresses: ['/challenges/over.atom'], shows: ON_THE_BOARD },
  'challenges/[id].ics.ts': { addresses: ['/challenges/running.ics'] },
  'feed.atom.ts': { addresses: ['/feed.atom'], shows: ON_THE_BOARD },
  'sitemap.xml.ts': { addresses: ['/sitemap.xml'], shows: OPEN },
  'sitemap-[part].xml.ts': { addresses: ['/sitemap-1.xml'] },
  '404.astro': { addresses: ['/nowhere'] },
  'settings/deleted.astro': { addresses: ['/settings/deleted'] },
};
/** The arguments of a public tool, and the operators in each result. */
export interface ToolSurface {
  given?: readonly object[];
  shows?: readonly string[];
  /** Called for each operator by each of their names. */
  ofOperator?: readonly object[];
}

/** Every public tool of the MCP server. */
export const TOOLS: Record<string, ToolSurface> = {
  get_leaderboard: {
    given: [
      {},
      { window: 'all_time', include: 'unranked', trust: 'all' },
      { as_of: daysAgo(1), include: 'unranked' },
    ],
    shows: ON_THE_BOARD,
  },
  get_operator: { ofOperator: [{}, { window: '7d', trust: 'all' }, { as_of: daysAgo(1) }] },
  get_operator_history: { ofOperator: [{}, { interval: 'week' }] },
  metric_leaders: { given: [{}], shows: ON_THE_BOARD },
  get_challenges: { given: [{ id: 'running' }, { id: 'over' }], shows: ON_THE_BOARD },
  get_hall_of_signal: { given: [{}], shows: ON_THE_BOARD },
  compute_metrics: { given: [{ records: [{ input: 1, output: 1 }] }] },
};

/** Sign-in and account pages, which have their own tests. */
export const PERSONAL =
  /^(?:500\.astro$|admin\/|auth\/|avatars\/|dev\/|email\/|invite\/|login|oauth\/|settings|setup\.astro$|where-am-i\/|witness\/)/;
