/** Which days of a window an operator's devices stated, and when. */
import { statedDays } from '#core/domain/board/stated-days.ts';
import { totalOf } from '#core/domain/counting/bucket.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import { firstDayOf } from '#core/domain/metrics/window.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { StatedDays } from '#core/schema/operator.ts';
import type { AppContext } from '../context.ts';
import { currentPublication, publicOperator } from '../publication/read/current-publication.ts';
import { allSignedDays } from './operator-calendar.ts';

/** Prepares the data for {@linkcode readStatedDays}. Yields to the event loop. */
export async function readyStatedDays(ctx: AppContext, codename: string): Promise<void> {
  await allSignedDays(ctx, publicOperator(ctx, codename)).ready();
}

/**
 * The stated days of an operator, over all tools.
 *
 * @throws {DomainError} `not_found` if there is no such operator.
 */
export function readStatedDays(
  ctx: AppContext,
  codename: string,
  window: WindowName,
): StatedDays | null {
  const { changedDays } = ctx.store;
  const operator = publicOperator(ctx, codename);
  const tokens = new Map<number, number>();
  for (const counts of allSignedDays(ctx, operator).read()) {
    tokens.set(counts.day, (tokens.get(counts.day) ?? 0) + totalOf(counts));
  }
  const last = dayNumber(currentPublication(ctx).as_of);
  return statedDays(
    { first: firstDayOf(window, last), last },
    {
      tokens,
      covered: changedDays.covered(operator.id),
      changed: new Map(changedDays.ofOperator(operator.id).map((row) => [row.day, row])),
      changesKnownFrom: operator.changes_known_from,
    },
  );
}
