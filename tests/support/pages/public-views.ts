/** The public pages, on a board with operators in every state. */
import { TAGS } from '#core/contract/route.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import { DOCS_SECTIONS, sectionPath } from '#components/docs/docs-navigation.ts';
import { daysAgo } from '../agent/installation.ts';
import { docsFiles } from './docs-files.ts';
import * as visits from './site-visits.ts';
import type { PageViews } from './view.ts';

/** Every window and every metric once. */
const BOARDS = [
  ...WINDOWS.map((window) => `/leaderboard/${window}/yield`),
  ...METRIC_NAMES.map((metric) => `/leaderboard/30d/${metric}`),
];

const MONTH = daysAgo(1).slice(0, 7);
const YEAR = MONTH.slice(0, 4);

export const PUBLIC_VIEWS: PageViews = {
  'index.astro': () => [
    { path: '/', name: 'front' },
    { path: '/', name: 'front-signed-in', as: 'identified' },
    { path: '/', name: 'front-signed-in-not-ranked', as: 'one-day' },
  ],
  'leaderboard/[window]/[metric].astro': () => [
    ...[...new Set(BOARDS)].map((path) => ({ path })),
    { path: '/leaderboard/30d/yield?trust=all', name: 'board-any-trust' },
    { path: '/leaderboard/30d/leverage?tool=codex', name: 'board-of-a-tool' },
    { path: '/leaderboard/90d/yield?class=river', name: 'board-of-a-class' },
    { path: '/leaderboard/30d/yield?cohort=lab', name: 'board-of-a-cohort' },
    { path: '/leaderboard/30d/yield?q=otter', name: 'board-searched' },
    { path: '/leaderboard/30d/yield?q=nobody-is-called-so', name: 'board-nobody-found' },
    { path: '/leaderboard/30d/yield?after=0.50', name: 'board-page-gone', status: 410 },
    { path: '/leaderboard/30d/yield', name: 'board-next', act: visits.openNextPage },
    { path: '/leaderboard/1d/yield', name: 'board-unknown', status: 404 },
  ],
  'where-am-i/index.astro': () => [
    { path: '/where-am-i?window=30d&metric=yield', name: 'where-ranked', as: 'identified' },
    { path: '/where-am-i?window=30d&metric=yield', name: 'where-private', as: 'private' },
    { path: '/where-am-i?window=7d&metric=snr', name: 'where-not-ranked', as: 'one-day' },
  ],
  'operators/[codename].astro': ({ codenames }) => [
    ...['identified', 'longest', 'unbroken', 'hebrew', 'arabic', 'emoji', 'huge', 'tiny']
      .concat('nothingCached', 'partly-held', 'renamed', 'self-reported', 'mixed', 'unreported')
      .concat('opted-out', 'one-day', 'held', 'idle')
      .map((name) => ({ path: `/operators/${codenames[name]}`, name: `operator-${name}` })),
    { path: '/operators/synthetic-otter', name: 'operator-usual' },
    { path: '/operators/synthetic-otter?window=7d&tool=claude-code', name: 'operator-of-a-tool' },
    { path: `/operators/${codenames['former']}`, name: 'operator-former-name' },
    ...['anonymous', 'private', 'hidden'].map((name) => {
      return { path: `/operators/${codenames[name]}`, name: `operator-${name}`, status: 404 };
    }),
  ],
  'compare.astro': ({ codenames }) => [
    { path: '/compare' },
    { path: '/compare?with=synthetic-elk,synthetic-otter', name: 'compared-two' },
    {
      path: `/compare?with=${['identified', 'longest', 'one-day', 'hebrew']
        .map((name) => codenames[name])
        .sort()
        .join(',')}&window=90d`,
      name: 'compared-four',
    },
    { path: '/compare?with=synthetic-otter', name: 'compared-one' },
    { path: '/compare?with=a,b,c,d,e', name: 'compared-too-many', status: 400 },
    { path: '/compare?with=nobody,synthetic-elk', name: 'compared-nobody', status: 404 },
  ],
  'operators/[codename]/[period].astro': ({ codenames }) => [
    ...['identified', 'longest', 'unbroken', 'hebrew', 'huge', 'tiny', 'mixed', 'one-day'].map(
      (name) => ({ path: `/operators/${codenames[name]}/${YEAR}`, name: `review-${name}` }),
    ),
    { path: `/operators/synthetic-otter/${YEAR}`, name: 'review-usual' },
    { path: `/operators/synthetic-otter/${MONTH}`, name: 'review-month' },
    { path: '/operators/synthetic-otter/2023', name: 'review-before', status: 404 },
    { path: '/operators/synthetic-otter/9999', name: 'review-future', status: 404 },
    { path: '/operators/synthetic-otter/2026-13', name: 'review-invalid', status: 404 },
    ...['anonymous', 'private', 'hidden', 'self-reported'].map((name) => {
      return {
        path: `/operators/${codenames[name]}/${YEAR}`,
        name: `review-${name}`,
        status: 404,
      };
    }),
  ],
  'metrics/index.astro': () => [{ path: '/metrics' }],
  'metrics/[metric].astro': () => [
    ...METRIC_NAMES.map((metric) => ({ path: `/metrics/${metric}` })),
    { path: '/metrics/iq', status: 404 },
  ],
  'challenges/index.astro': () => [{ path: '/challenges' }],
  'challenges/[id].astro': () => [
    ...['upcoming', 'active', 'scoring', 'complete', 'cancelled'].map((id) => {
      return { path: `/challenges/${id}` };
    }),
    { path: '/challenges/none-such', status: 404 },
  ],
  'tv.astro': () => [{ path: '/tv' }],
  'classes.astro': () => [{ path: '/classes' }],
  'embed/board.astro': () => [{ path: '/embed/board?rows=10', name: 'embed-board' }],
  'hall-of-signal/index.astro': () => [{ path: '/hall-of-signal' }],
  'hall-of-signal/[metric].astro': () => [
    { path: '/hall-of-signal/yield' },
    { path: '/hall-of-signal/iq', status: 404 },
  ],
  'submissions/index.astro': ({ codenames }) => [
    { path: '/submissions' },
    { path: '/submissions?trust=signed', name: 'submissions-signed' },
    { path: `/submissions?codename=${codenames['partly-held']}`, name: 'submissions-of-one' },
    {
      path: '/submissions?codename=nobody-is-called-so',
      name: 'submissions-of-nobody',
      status: 404,
    },
  ],
  'submissions/[id].astro': ({ submissions }) => [
    ...['identified', 'partly-held', 'rejected', 'withdrawn', 'self-reported'].map((name) => {
      return { path: `/submissions/${submissions[name]}`, name: `submission-${name}` };
    }),
    { path: `/submissions/${submissions['hidden']}`, name: 'submission-hidden', status: 404 },
  ],
  'methodology.astro': () => [{ path: '/methodology' }],
  'methodology/counting.astro': () => [{ path: '/methodology/counting' }],
  'methodology/logs.astro': () => [{ path: '/methodology/logs' }],
  'methodology/metrics.astro': () => [{ path: '/methodology/metrics' }],
  'methodology/ranking.astro': () => [{ path: '/methodology/ranking' }],
  'methodology/rules.astro': () => [{ path: '/methodology/rules' }],
  'science.astro': () => [{ path: '/science' }],
  'science/intervals.astro': () => [{ path: '/science/intervals' }],
  'science/errors.astro': () => [{ path: '/science/errors' }],
  'science/checks.astro': () => [{ path: '/science/checks' }],
  'science/signatures.astro': () => [{ path: '/science/signatures' }],
  'transparency.astro': () => [{ path: '/transparency' }],
  'privacy.astro': () => [{ path: '/privacy' }],
  'privacy/device.astro': () => [{ path: '/privacy/device' }],
  'privacy/visits.astro': () => [{ path: '/privacy/visits' }],
  'privacy/board.astro': () => [{ path: '/privacy/board' }],
  'developers.astro': () => [{ path: '/developers' }],
  'developers/[group].astro': () => [
    ...Object.keys(TAGS).map((group) => ({ path: `/developers/${group}` })),
    { path: '/developers/none-such', status: 404 },
  ],
  'developers/limits.astro': () => [{ path: '/developers/limits' }],
  'developers/mcp.astro': () => [{ path: '/developers/mcp' }],
  'developers/types.astro': () => [{ path: '/developers/types' }],
  'developers/protocol.astro': () => [{ path: '/developers/protocol' }],
  'docs/index.astro': () => [{ path: '/docs' }],
  'docs/[section]/index.astro': () => [
    ...DOCS_SECTIONS.map(({ id }) => ({ path: sectionPath(id) })),
    { path: '/docs/nothing', status: 404 },
  ],
  'docs/[section]/[page].astro': () => [
    ...docsFiles().flatMap(({ file, path }) => (file.endsWith('/index.md') ? [] : [{ path }])),
    { path: '/docs/run/nothing', status: 404 },
  ],
  'docs/search.astro': () => [
    { path: '/docs/search?q=board', name: 'docs-searched' },
    { path: '/docs/search?q=xylophone', name: 'docs-nothing-found' },
    { path: '/docs/search' },
  ],
  'problems/index.astro': () => [{ path: '/problems' }],
  'problems/[code].astro': () => [
    { path: '/problems/audience_mismatch' },
    { path: '/problems/none_such', status: 404 },
  ],
  '404.astro': () => [{ path: '/nothing/here', status: 404 }],
};
