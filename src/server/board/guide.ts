import { guideSteps } from '#core/contract/openapi/guide.ts';
import { ROUTE_TABLE } from '#core/contract/routes.ts';
import { LeaderboardQuery } from '#core/contract/leaderboard.ts';
import type { AppContext } from '../context.ts';
import { runYielding, oneByOne } from '../process/yield-to-event-loop.ts';
import { readLeaderboard } from './leaderboard.ts';

/** The guide to all operations. Yields to the event loop while creating it. */
export async function readGuide(ctx: AppContext) {
  const known = readKnownNames(ctx);
  const guide = await runYielding(
    guideSteps(ROUTE_TABLE.operations, { baseUrl: ctx.config.baseUrl, known }),
  );
  return { ...guide, known, turn: oneByOne() };
}

/** The number of rows searched for an operator with a page. */
const MAX_SEARCHED = '100';

/** Values for working examples: the first operator with a page, and that operator's newest submission. */
function readKnownNames(ctx: AppContext): Record<string, string> {
  const limit = MAX_SEARCHED;
  const query = LeaderboardQuery.parse({ window: 'all_time', include: 'unranked', limit });
  const { entries, unranked = [] } = readLeaderboard(ctx, query);
  const codename = [...entries, ...unranked].map((entry) => entry.codename).find(hasPage(ctx));
  if (codename === undefined) return {};
  const operator_id = ctx.store.operators.byCodename(codename)?.id ?? null;
  const filter = { operator_id, signed: false };
  const [newest] = ctx.store.submissions.page(filter, Number.MAX_SAFE_INTEGER, 1);
  return { codename, ...(newest && { submission: newest.id }) };
}

/** The board can still list operators who have just left; they must not break the examples. */
function hasPage({ store }: AppContext): (codename: string) => boolean {
  return (codename) => store.operators.byCodename(codename)?.is_open === 1;
}
