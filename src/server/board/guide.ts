import { guideSteps } from '#core/contract/openapi/guide.ts';
import { ROUTE_TABLE } from '#core/contract/routes.ts';
import { LeaderboardQuery } from '#core/contract/leaderboard.ts';
import type { AppContext } from '../context.ts';
import { runYielding, oneByOne } from '../process/yield-to-event-loop.ts';
import { readLeaderboard } from './leaderboard.ts';

type Guide = Promise<StepsResult<ReturnType<typeof guideSteps>>>;
type StepsResult<Steps> = Steps extends Generator<unknown, infer Result> ? Result : never;

/** The last guide of each board, with the names that it was created for. */
const guides = new WeakMap<AppContext, { key: string; guide: Guide }>();

/**
 * Returns the content of all API reference pages. The pages share one guide, which is created while other requests are
 * answered, as long as the names in its examples stay the same.
 */
export async function readGuide(ctx: AppContext) {
  const known = readKnownNames(ctx);
  const key = JSON.stringify(known);
  const last = guides.get(ctx);
  const guide = last?.key === key ? last.guide : createGuide(ctx, known);
  guides.set(ctx, { key, guide });
  return { ...(await guide), known, turn: oneByOne() };
}

function createGuide({ config: { baseUrl } }: AppContext, known: Record<string, string>): Guide {
  return runYielding(guideSteps(ROUTE_TABLE.operations, { baseUrl, known }));
}

/** How many operators are searched for one with a public page. */
const MAX_SEARCHED = '100';

/** Returns names for examples that work on this board: its first operator with a public page, and their newest submission. */
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

/** Whether an operator has a page. The board can still show operators who have just been deleted. */
function hasPage({ store }: AppContext): (codename: string) => boolean {
  return (codename) => store.operators.byCodename(codename)?.is_open === 1;
}
