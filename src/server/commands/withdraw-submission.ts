import { DomainError } from '#core/domain/errors.ts';
import type { Caller } from '#core/schema/session.ts';
import type { AppContext, Board } from '../context.ts';
import { type Restatement, restateAtOnce, restateInTurns } from '../recount.ts';

/**
 * Takes a submission of the caller back: what counts is rebuilt from the accepted ones that are
 * left. Withdrawing what is withdrawn changes nothing.
 *
 * @throws {DomainError} `not_found` if the caller has no such submission.
 * @throws {DomainError} `count_out_of_range` or `too_many_sources` if what it had replaced cannot
 *   stand beside what came later.
 */
export async function withdrawSubmission(
  ctx: AppContext,
  caller: Caller,
  id: string,
): Promise<void> {
  const { operator_id } = caller;
  const before = underWay.get(operator_id) ?? Promise.resolve();
  const mine = before.then(() => restateInTurns(ctx, () => withdrawal(ctx, caller, id)));
  const settled = mine.catch(() => undefined);
  underWay.set(operator_id, settled);
  try {
    await mine;
  } finally {
    if (underWay.get(operator_id) === settled) underWay.delete(operator_id);
  }
}

/** An operator's last withdrawal: each changes what the next one counts, so they wait for each other. */
const underWay = new Map<number, Promise<void>>();

/** The same in one go, for a process that answers no requests. */
export function withdrawAtOnce(board: Board, operator_id: number, id: string): void {
  restateAtOnce(board, () => withdrawal(board, { operator_id }, id));
}

/** What withdrawing comes to; null if it was done before. */
function withdrawal(
  ctx: Board,
  { operator_id }: Pick<Caller, 'operator_id'>,
  id: string,
): Restatement | null {
  const submission = ctx.store.submissions.byId(id);
  if (submission?.operator_id !== operator_id) {
    throw new DomainError('not_found', 'The caller has no such submission');
  }
  const { log_index, state } = submission;
  if (state === 'withdrawn') return null;
  return {
    operator_id,
    submissions: [log_index],
    state: 'withdrawn',
    enter: ({ public_id }) => {
      const payload = { operator: public_id, submission: id, log_index };
      return ctx.store.log.append({ kind: 'withdraw', operator_id, payload, now: ctx.now() })
        .log_index;
    },
  };
}
