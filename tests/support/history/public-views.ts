/** What public pages, feeds and the API read of a board. */
import { DaysQuery, LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { LeadersQuery } from '#core/contract/metrics.ts';
import { HistoryQuery, OperatorQuery, RecordsQuery } from '#core/contract/operators.ts';
import { PeersQuery } from '#core/contract/peers.ts';
import { SubmissionsQuery } from '#core/contract/submissions.ts';
import { comparisonViewOf } from '#core/domain/board/comparison.ts';
import { operatorViewOf } from '#core/domain/board/operator-view.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import {
  readBadge,
  readOperatorCard,
  readSmallBoard,
  readSocialCard,
} from '#server/board/badge.ts';
import { readBigScreen } from '#server/board/big-screen.ts';
import { readBoardPage, readFrontPage } from '#server/board/board-page.ts';
import { readClasses } from '#server/board/classes.ts';
import { findComparison } from '#server/board/comparison.ts';
import { readDays } from '#server/board/days.ts';
import { readEmbeddable } from '#server/board/embeddable.ts';
import { readChallengeFeed, readFeed } from '#server/board/feed.ts';
import { readLeaderboard } from '#server/board/leaderboard.ts';
import { readHallOfSignal, readMetricLeaders, readMetricsPage } from '#server/board/metric-page.ts';
import { readOperatorHistory } from '#server/board/operator-history.ts';
import { readMilestoneFeed } from '#server/board/operator-milestones.ts';
import { findOperatorPage } from '#server/board/operator-page.ts';
import { readOperatorRecords } from '#server/board/operator-records.ts';
import { findOperatorReview } from '#server/board/operator-review.ts';
import { readOperator } from '#server/board/operator.ts';
import { readOperatorPeers, readyOperatorPeers } from '#server/board/peers.ts';
import { readRulesets } from '#server/board/rulesets.ts';
import { readSitemap } from '#server/board/sitemap.ts';
import { readChallengeList, readChallengePage } from '#server/challenge/challenge-page.ts';
import type { AppContext } from '#server/context.ts';
import { readOperatorKeys } from '#server/device/devices.ts';
import { nameMeant } from '#server/operator/codenames.ts';
import { readShownAvatar } from '#server/operator/own-profile.ts';
import { readBoardKeys } from '#server/public-log/log.ts';
import { readSubmissions, readySubmissions } from '#server/submission/submissions.ts';

type View = (ctx: AppContext) => unknown;

/** Every public view that does not concern one operator, with its name. */
export function boardViews(ctx: AppContext): [string, View][] {
  const days = readDays(ctx, DaysQuery.parse({})).entries.map(({ day }) => day);
  const challenges = ctx.store.challenges.all().map(({ id }) => id);
  const ofDay = (as_of: string, over: object = {}) => LeaderboardQuery.parse({ as_of, ...over });
  return [
    ['front page', (at) => pageOf(readFrontPage(at))],
    [
      'board page',
      (at) =>
        pageOf(readBoardPage(at, { window: '30d', metric: 'velocity' }, new URLSearchParams())),
    ],
    [
      'board with unranked',
      (at) => readLeaderboard(at, LeaderboardQuery.parse({ include: 'unranked' })),
    ],
    [
      'board of all',
      (at) => readLeaderboard(at, LeaderboardQuery.parse({ trust: 'all', window: 'all_time' })),
    ],
    ...days.flatMap((day): [string, View][] => [
      [`board of ${day}`, (at) => readLeaderboard(at, ofDay(day))],
      [
        `whole board of ${day}`,
        (at) => readLeaderboard(at, ofDay(day, { trust: 'all', metric: 'velocity', window: '7d' })),
      ],
    ]),
    ['metrics', (at) => readMetricsPage(at)],
    ['leaders', (at) => readMetricLeaders(at, LeadersQuery.parse({}))],
    ['records', (at) => readHallOfSignal(at)],
    ['classes', (at) => readClasses(at)],
    ['big screen', (at) => readBigScreen(at)],
    ['days', (at) => readDays(at, DaysQuery.parse({ limit: '2' }))],
    ['feed', (at) => readFeed(at)],
    ['sitemap', (at) => everyPiece(readSitemap(at))],
    ['social card', (at) => readSocialCard(at)],
    ['small board', (at) => readSmallBoard(at, new URLSearchParams())],
    ['rulesets', (at) => readRulesets(at)],
    ['keys', (at) => readBoardKeys(at)],
    ['announcement', (at) => at.announcements.current()],
    ['calibration', (at) => at.calibration.current],
    ['challenges', (at) => readChallengeList(at)],
    ...challenges.flatMap((id): [string, View][] => [
      [`challenge ${id}`, (at) => readChallengePage(at, id, null)],
      [`feed of ${id}`, (at) => readChallengeFeed(at, id)],
    ]),
    ...['any', 'signed'].map((trust): [string, View] => {
      const query = SubmissionsQuery.parse({
        trust: trust === 'any' ? undefined : trust,
        limit: '20',
      });
      return [
        `${trust} submissions`,
        async (at) => {
          await readySubmissions(at, query);
          return readSubmissions(at, query);
        },
      ];
    }),
  ];
}

/** Every public view of a codename. */
export function operatorViews(ctx: AppContext, codename: string): [string, View][] {
  const days = readDays(ctx, DaysQuery.parse({})).entries.map(({ day }) => day);
  const hash = ctx.store.avatars.hashOf(ctx.store.operators.byCodename(codename)?.id ?? 0) ?? '';
  const page =
    (query: string): View =>
    (at) =>
      findOperatorPage(at, codename, operatorViewOf(new URLSearchParams(query)));
  const month = ctx.now().toISOString().slice(0, 7);
  const views: [string, View][] = [
    ['page', page('')],
    ['page of all time', page('window=all_time&interval=week')],
    ['page with self-reports', page('trust=all&metric=leverage')],
    ['operator', (at) => readOperator(at, codename, OperatorQuery.parse({}))],
    ...days.map((as_of): [string, View] => [
      `operator on ${as_of}`,
      (at) => readOperator(at, codename, OperatorQuery.parse({ as_of })),
    ]),
    [
      'history',
      (at) =>
        readOperatorHistory(
          at,
          codename,
          HistoryQuery.parse({ window: 'all_time', metric: 'snr' }),
        ),
    ],
    ['milestones', (at) => readMilestoneFeed(at, codename)],
    ['counts', (at) => readOperatorRecords(at, codename, RecordsQuery.parse({ limit: '7' }))],
    ['device keys', (at) => readOperatorKeys(at, codename)],
    ['month', (at) => findOperatorReview(at, codename, month)],
    ['year', (at) => findOperatorReview(at, codename, month.slice(0, 4))],
    [
      'peers',
      async (at) => {
        await readyOperatorPeers(at);
        return readOperatorPeers(at, codename, PeersQuery.parse({}));
      },
    ],
    ['badge', (at) => readBadge(at, codename, new URLSearchParams())],
    ['card', (at) => readOperatorCard(at, codename)],
    ['embed', (at) => readEmbeddable(at, `${at.config.baseUrl}/operators/${codename}`)],
    ['meant name', (at) => nameMeant(at, codename.toUpperCase())],
    ['picture', (at) => readShownAvatar(at, hash)],
    [
      'submissions',
      async (at) => {
        const query = SubmissionsQuery.parse({ codename });
        await readySubmissions(at, query);
        return readSubmissions(at, query);
      },
    ],
  ];
  return views.map(([name, view]) => [`${name} of ${codename}`, view]);
}

export function comparisonOf(names: readonly string[]): [string, View] {
  const view = comparisonViewOf(new URLSearchParams({ operators: names.join(',') }));
  return [`comparison of ${names.join()}`, (at) => findComparison(at, view)];
}

/** What a view answers, or why it refuses. */
export async function answerOf(view: View, ctx: AppContext): Promise<unknown> {
  try {
    return plain(await view(ctx));
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, message: error.message };
    throw error;
  }
}

/** A board's page, with what it reads while it is written. */
async function pageOf(page: ReturnType<typeof readFrontPage> | string): Promise<unknown> {
  return typeof page === 'string' ? page : { ...page, details: [...(await page.details())] };
}

async function everyPiece({ total, pieces }: ReturnType<typeof readSitemap>): Promise<unknown> {
  return { total, pieces: await Array.fromAsync(pieces(0, total)) };
}

/** Without functions, and with bytes and maps as text. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value ?? null, (_name, member: unknown) => {
      if (member instanceof Map) return [...member];
      if (member instanceof Error) return member.message;
      if (member instanceof Uint8Array) return Buffer.from(member).toString('hex');
      return member;
    }),
  ) as unknown;
}
