/** Final standings: of what came in before a challenge closed, whenever the first publication after is made. */
import { type ChallengeRow, type Freezing, type FrozenPlace, rankedBy } from '#db/challenges.ts';
import type { Store } from '#db/store.ts';
import { type RankedChallenge, closesAtMs } from '#core/domain/challenge.ts';
import { Replay } from '#core/domain/counting.ts';
import { dayNumber } from '#core/domain/day.ts';
import { type DaySeries, seriesOf } from '#core/domain/day-series.ts';
import { readLoggedSnapshot } from '#core/domain/logged-snapshot.ts';
import { type ChallengeContender, challengeColumns } from './challenge-standings.ts';
import type { ChallengeColumns } from './columns.ts';
import { pause } from './pause.ts';
import { TOTAL_AT, challengeRow } from './projected-operator.ts';

/** Rows in one transaction, and the pause after it: a submission that waits to be written holds up the server. */
const CHUNK = 500;
const PAUSE_MS = 10;

/** What is to be stored of a challenge that has closed. */
export interface ClosedChallenge {
  freezing: Omit<Freezing, 'frozen_at'>;
  places: FrozenPlace[];
}

/**
 * The final standings of a challenge. Who has sent something since it closed is counted anew, up to then.
 * Call it inside the snapshot that the operators were read in.
 *
 * @param ids Of all whom the public sees, by position.
 * @param contenderAt What is projected of the operator at a position.
 */
export function closeChallenge(
  store: Store,
  row: ChallengeRow,
  ids: readonly number[],
  contenderAt: (position: number) => ChallengeContender | null,
): ClosedChallenge {
  const challenge = rankedBy(row);
  const until = store.challenges.lastEntryBefore(new Date(closesAtMs(row)).toISOString());
  const later = new Map(store.signalRecords.changedSince(until));
  const contenders = ids.flatMap((id, position): ChallengeContender[] => {
    const projected = contenderAt(position);
    if (!later.has(id)) return projected ? [projected] : [];
    const numbers = challengeRow(
      seriesUpTo(store, { operator_id: id, until, challenge }),
      challenge,
    );
    return (numbers[TOTAL_AT] as number) > 0 ? [{ position, numbers, at: 0 }] : [];
  });
  const columns = challengeColumns(challenge, contenders);
  const left_out = store.challenges.leftOut(row, until).map(({ log_index }) => log_index);
  return {
    freezing: {
      seq: row.seq,
      frozen_log_index: until,
      left_out: JSON.stringify(left_out),
      unranked: columns.unranked,
    },
    places: placesOf(columns, ids),
  };
}

/** Stores final standings, a piece at a time; they are read from the last piece on. */
export function storeClosed(
  store: Store,
  { freezing, places }: ClosedChallenge,
  frozen_at: string,
): void {
  const { seq } = freezing;
  store.challenges.forgetPlaces(seq);
  for (let first = 0; first < places.length; first += CHUNK) {
    store.challenges.addPlaces(seq, places.slice(first, first + CHUNK));
    if (first + CHUNK < places.length) pause(PAUSE_MS);
  }
  store.challenges.freeze({ ...freezing, frozen_at });
}

function placesOf(columns: ChallengeColumns, ids: readonly number[]): FrozenPlace[] {
  return [...columns.operators].map((position, index) => {
    const number = (column: ArrayLike<number>) => column[index] as number;
    const high = number(columns.highs);
    return {
      place: index + 1,
      rank: number(columns.ranks),
      best: number(columns.best),
      worst: number(columns.worst),
      operator_id: ids[position] as number,
      value: number(columns.values),
      low: number(columns.lows),
      high: Number.isFinite(high) ? high : null,
      total: number(columns.totals),
      active_days: number(columns.active_days),
    };
  });
}

/** An operator's signed days of a challenge, of its submissions up to an entry. */
function seriesUpTo(
  store: Store,
  {
    operator_id,
    until,
    challenge: { first, last, tool },
  }: { operator_id: number; until: number; challenge: RankedChallenge },
): DaySeries {
  const replay = new Replay();
  let row = store.submissions.nextAccepted(operator_id, 0);
  while (row && row.log_index <= until) {
    const { payload, ...submission } = row;
    const { correction, buckets } = readLoggedSnapshot(payload);
    const concerned = buckets.filter(({ day }) => isWithin(dayNumber(day), first, last));
    replay.apply({ ...submission, correction, buckets: concerned });
    row = store.submissions.nextAccepted(operator_id, row.log_index);
  }
  const usage = replay
    .result()
    .filter(({ counts, trust }) => counts === 1 && trust === 'signed')
    .filter((bucket) => tool === null || bucket.tool === tool)
    .map((bucket) => ({ ...bucket, day: dayNumber(bucket.day), source: bucket }))
    .sort((a, b) => a.day - b.day);
  return seriesOf(usage);
}

function isWithin(day: number, first: number, last: number): boolean {
  return day >= first && day <= last;
}
