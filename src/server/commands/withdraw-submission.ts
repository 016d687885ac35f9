import { setImmediate } from 'node:timers/promises';
import { type CountedBucket, Replay, dayAndTool, isCorrected } from '#core/domain/counting.ts';
import { DomainError } from '#core/domain/errors.ts';
import { type LoggedSnapshot, readLoggedSnapshot } from '#core/domain/logged-snapshot.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { Caller } from '#core/schema/session.ts';
import type { AppContext } from '../context.ts';
import { checkOperatorLimits } from '../operator-limits.ts';

/** How often a withdrawal starts over because the operator's log has changed meanwhile. */
const MAX_TRIES = 5;

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
  const mine = before.then(() => withdraw(ctx, caller, id));
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

async function withdraw(ctx: AppContext, { operator_id }: Caller, id: string): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const submission = ctx.store.submissions.byId(id);
    if (submission?.operator_id !== operator_id) {
      throw new DomainError('not_found', 'The caller has no such submission');
    }
    if (submission.state === 'withdrawn') return;
    const recount = await recountWithout(ctx, submission);
    if (storeWithdrawal(ctx, submission, recount)) return;
  }
  throw new DomainError('service_unavailable', 'Other changes of the account came in between');
}

interface SubmissionPlace {
  id: string;
  operator_id: number;
  log_index: number;
}

/** What stands in some days of an operator, to be written if nothing has changed since. */
interface Recount {
  /** The operator's last change that it knows of. */
  log_index: number;
  from: string;
  to: string;
  isConcerned: (bucket: Pick<Bucket, 'day' | 'tool'>) => boolean;
  after: CountedBucket[];
}

/**
 * Replays all that concerns the same days and tools, one submission a turn of the event loop: a long
 * account's log takes seconds.
 */
async function recountWithout(
  { store }: AppContext,
  { operator_id, log_index }: SubmissionPlace,
): Promise<Recount> {
  const seen = store.operators.byId(operator_id)?.log_index ?? 0;
  const scope = scopeOf(readLoggedSnapshot(store.log.at(log_index)?.payload ?? new Uint8Array()));
  const replay = new Replay();
  let row = store.submissions.nextAccepted(operator_id, 0);
  while (row) {
    const { payload, ...submission } = row;
    if (row.log_index !== log_index) {
      const { correction, buckets } = readLoggedSnapshot(payload);
      const concerned = buckets.filter(scope.isConcerned);
      replay.apply({ ...submission, correction, buckets: concerned });
      await setImmediate();
    }
    row = store.submissions.nextAccepted(operator_id, row.log_index);
  }
  return { log_index: seen, ...scope, after: replay.result() };
}

/** The days and tools that a snapshot speaks of: only what stands there can change with it. */
function scopeOf({ buckets, correction }: LoggedSnapshot): Omit<Recount, 'after' | 'log_index'> {
  const groups = new Set(buckets.map(dayAndTool));
  const days = buckets.map(({ day }) => day);
  if (correction) days.push(correction.from, correction.to);
  days.sort();
  return {
    from: days[0] ?? '',
    to: days.at(-1) ?? '',
    isConcerned: (bucket) =>
      groups.has(dayAndTool(bucket)) || (correction !== null && isCorrected(bucket, correction)),
  };
}

/** Stores a withdrawal with its recount; false if the operator's log has grown since that was made. */
function storeWithdrawal(ctx: AppContext, submission: SubmissionPlace, recount: Recount): boolean {
  const { store } = ctx;
  const { id, operator_id, log_index } = submission;
  const { from, to, isConcerned, after } = recount;
  return store.transaction(() => {
    const operator = store.operators.byId(operator_id);
    if (operator?.log_index !== recount.log_index) return false;
    store.submissions.setState(log_index, 'withdrawn');
    const entry = store.log.append({
      kind: 'withdraw',
      operator_id,
      payload: { operator: operator.public_id, submission: id, log_index },
      now: ctx.now(),
    });
    const before = store.buckets.ofDays({ operator_id, from, to }).filter(isConcerned);
    store.buckets.replaceGroups(operator_id, before, after);
    checkOperatorLimits(ctx, operator_id);
    store.operators.touch(operator_id, entry.log_index);
    return true;
  });
}
