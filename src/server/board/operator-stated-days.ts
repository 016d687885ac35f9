/** Which days of a window an operator's devices stated, and when. */
import { statedDays } from '#core/domain/board/stated-days.ts';
import { totalOf } from '#core/domain/counting/bucket.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import { firstDayOf } from '#core/domain/metrics/window.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { StatedDays } from '#core/schema/operator.ts';
import type { AppContext } from '../context.ts';
import { RecentMemo } from '../process/recent-memo.ts';
import {
  type PublicOperator,
  currentPublication,
  publicOperator,
} from '../publication/read/current-publication.ts';
import type { Publication } from '../publication/read/publication.ts';
import { allSignedDays } from './operator-calendar.ts';

/** How many results are kept for a publication. */
const MAX_KEPT = 2_000;
const kept = new RecentMemo<Publication, StatedDays | null>(MAX_KEPT);

/**
 * The stated days of an operator, over all tools. The same until the next publication, so that all answers agree.
 *
 * @throws {DomainError} `not_found` if there is no such operator.
 */
export function readStatedDays(
  ctx: AppContext,
  codename: string,
  window: WindowName,
): StatedDays | null {
  const operator = publicOperator(ctx, codename);
  const publication = currentPublication(ctx);
  const last = dayNumber(publication.as_of);
  const span = { first: firstDayOf(window, last), last };
  return kept.read(publication, `${operator.id} ${window}`, () => {
    return statedDays(span, knownDays(ctx, operator));
  });
}

function knownDays(ctx: AppContext, operator: PublicOperator): Parameters<typeof statedDays>[1] {
  const { changedDays } = ctx.store;
  const { id, changes_known_from } = operator;
  const tokens = new Map<number, number>();
  for (const counts of allSignedDays(ctx, operator).read()) {
    tokens.set(counts.day, (tokens.get(counts.day) ?? 0) + totalOf(counts));
  }
  return {
    tokens,
    covered: changedDays.covered(id),
    changed: new Map(changedDays.ofOperator(id).map((row) => [row.day, row])),
    changesKnownFrom: changes_known_from,
  };
}
