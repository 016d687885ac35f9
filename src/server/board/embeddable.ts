/** The pages that have oEmbed. */
import { ChallengeQuery } from '#core/contract/challenges.ts';
import type { Embeddable } from '#core/domain/board/embeddable.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { WindowName } from '#core/schema/board.ts';
import { MetricName } from '#core/schema/record.ts';
import { readChallenge } from '../challenge/challenges.ts';
import type { AppContext } from '../context.ts';
import { currentName } from '../operator/codenames.ts';
import { currentPublication, publicOperator } from '../publication/read/current-publication.ts';
import { frontView } from './board-page.ts';

const UNKNOWN = 'There is no board, operator or challenge with this address';
/** Filters that the small board does not have. */
const FILTERS = ['trust', 'class', 'cohort', 'q', 'after'];

/**
 * The page with an address of this board.
 *
 * @throws {DomainError} `query_invalid` if it is not an address of this board, `not_found` if there is no such page.
 */
export function readEmbeddable(ctx: AppContext, asked: string | null): Embeddable {
  const url = ownUrl(ctx, asked);
  const [room = '', name = '', metric = ''] = url.pathname.slice(1).split('/');
  if (room === '') return { kind: 'board', ...frontView(ctx), isWhole: true };
  if (room === 'leaderboard') return boardAt(ctx, url, { window: name, metric });
  if (room === 'operators') {
    const { codename } = publicOperator(ctx, currentName(ctx, name));
    return { kind: 'operator', codename };
  }
  if (room === 'challenges') {
    const { id, title } = readChallenge(ctx, name, ChallengeQuery.parse({ limit: '1' }));
    return { kind: 'challenge', id, title };
  }
  throw new DomainError('not_found', UNKNOWN);
}

function ownUrl({ config }: AppContext, asked: string | null): URL {
  const url = asked === null ? null : URL.parse(asked);
  if (url?.origin === config.baseUrl) return url;
  throw new DomainError(
    'query_invalid',
    `url must be the address of a page of this board, such as ${config.baseUrl}/`,
  );
}

function boardAt(
  ctx: AppContext,
  { searchParams }: URL,
  asked: { window: string; metric: string },
): Embeddable {
  const window = WindowName.safeParse(asked.window).data;
  const metric = MetricName.safeParse(asked.metric).data;
  const tool = searchParams.get('tool') || null;
  const isKnown = tool === null || currentPublication(ctx).tools.includes(tool);
  if (!window || !metric || !isKnown) throw new DomainError('not_found', UNKNOWN);
  return {
    kind: 'board',
    ...{ window, metric, tool },
    isWhole: !FILTERS.some((filter) => searchParams.get(filter)),
  };
}
