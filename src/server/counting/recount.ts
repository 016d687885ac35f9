/** Rebuilds what counts for an operator when submissions are withdrawn, held, released or rejected. */
import {
  type CountedBucket,
  Replay,
  dayAndTool,
  isCorrected,
} from '#core/domain/counting/counting.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { type LoggedSnapshot, readLoggedSnapshot } from '#core/domain/log/logged-statement.ts';
import type { SubmissionState } from '#core/schema/submission.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { AppContext } from '../context.ts';
import type { Operator } from '../operator/operator.ts';
import { changeWithinLimits } from '../operator/operator-limits.ts';
import { atOnce } from '#core/domain/text/steps.ts';
import { replaceCounts } from './replace-counts.ts';
import { runYielding } from '../process/yield-to-event-loop.ts';

type Board = Pick<AppContext, 'store'>;

export interface Restatement {
  operator_id: number;
  submissions: readonly number[];
  state: SubmissionState;
  /** Enters the change in the log, inside its transaction. Returns the index of the last entry. */
  enter: (operator: Operator) => number;
}

/** The counts of some days of an operator, to be stored if nothing has changed since. */
interface Recount {
  log_index: number;
  scope: AffectedDays;
  after: CountedBucket[];
}

interface AffectedDays {
  from: string;
  to: string;
  isConcerned: (bucket: Pick<Bucket, 'day' | 'tool'>) => boolean;
}

/**
 * Changes the state of submissions and recounts. Yields to the event loop after each submission, because a long
 * account's log takes seconds.
 */
export async function restateYielding(board: Board, prepare: () => Restatement | null) {
  await runYielding(restate(board, prepare));
}

export function restateAtOnce(board: Board, prepare: () => Restatement | null): void {
  atOnce(restate(board, prepare));
}

function* restate(board: Board, prepare: () => Restatement | null): Generator<void, void> {
  yield* untilStored(function* () {
    const restatement = prepare();
    if (!restatement) return true;
    const counted = yield* recount(board, restatement);
    return store(board, restatement, counted) || null;
  });
}

/** How often a recount is attempted if the operator's log changes in the meantime. */
const MAX_TRIES = 5;

/** Repeats an attempt until it succeeds without a conflicting change. An attempt that returns null had a conflict. */
export function* untilStored<Result>(
  attempt: () => Generator<void, Result | null>,
): Generator<void, Result> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const result = yield* attempt();
    if (result !== null) return result;
  }
  throw new DomainError('service_unavailable', 'The account changed at the same time. Try again');
}

/** Replays all submissions for the same days and tools. Yields after each submission. */
function* recount(
  { store: { submissions, operators, log } }: Board,
  { operator_id, submissions: places, state }: Restatement,
): Generator<void, Recount> {
  const seen = operators.byId(operator_id)?.log_index ?? 0;
  const changed = new Set(places);
  const scope = scopeOf(
    places.map((place) => readLoggedSnapshot(log.at(place)?.payload ?? new Uint8Array())),
  );
  const replay = new Replay();
  let row = submissions.nextAccepted(operator_id, 0, places);
  while (row) {
    const { payload, ...submission } = row;
    if (state === 'accepted' || !changed.has(row.log_index)) {
      const { correction, buckets } = readLoggedSnapshot(payload);
      const concerned = buckets.filter(scope.isConcerned);
      replay.apply({ ...submission, correction, buckets: concerned });
      yield;
    }
    row = submissions.nextAccepted(operator_id, row.log_index, places);
  }
  return { log_index: seen, scope, after: replay.result() };
}

/** The days and tools in snapshots. Only their counts can change. */
function scopeOf(snapshots: readonly LoggedSnapshot[]): AffectedDays {
  const buckets = snapshots.flatMap((snapshot) => snapshot.buckets);
  const corrections = snapshots.flatMap(({ correction }) => correction ?? []);
  const groups = new Set(buckets.map(dayAndTool));
  const days = buckets.map(({ day }) => day);
  for (const { from, to } of corrections) days.push(from, to);
  days.sort();
  return {
    from: days[0] ?? '',
    to: days.at(-1) ?? '',
    isConcerned: (bucket) =>
      groups.has(dayAndTool(bucket)) ||
      corrections.some((correction) => isCorrected(bucket, correction)),
  };
}

/** Stores new states with their recount. Returns false if the operator's log has grown since the recount. */
function store(board: Board, restatement: Restatement, { log_index, scope, after }: Recount) {
  const { store: db } = board;
  const { operator_id, submissions, state, enter } = restatement;
  const { from, to, isConcerned } = scope;
  return db.transaction(() => {
    const operator = db.operators.byId(operator_id);
    if (operator?.log_index !== log_index) return false;
    for (const place of submissions) db.submissions.setState(place, state);
    const last = enter(operator);
    const before = db.buckets.ofDays({ operator_id, from, to }).filter(isConcerned);
    const received_at = db.log.at(last)?.received_at ?? '';
    const isOwnCorrection = state === 'withdrawn';
    changeWithinLimits(board, operator_id, () => {
      replaceCounts(board, { operator_id, before, after, received_at, isOwnCorrection });
    });
    db.operators.touch(operator_id, last);
    return true;
  });
}
