/** Final standings, from submissions received before a challenge closed, however late the next publication is made. */
import { writeInChunks } from '../writer.ts';
import { closesAtMs, type RankedChallenge } from '#core/domain/board/challenge.ts';
import { type DaySpan, type StatedSpans, statedSpans } from '#core/domain/board/stated-share.ts';
import { Replay } from '#core/domain/counting/counting.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import { type DaySeries, seriesOf } from '#core/domain/metrics/day-series.ts';
import { methodNamed } from '#core/domain/metrics/interval.ts';
import { firstConcerned } from '#core/domain/metrics/standing.ts';
import { readLoggedSnapshot } from '#core/domain/log/logged-statement.ts';
import { type LoggedState, stateOf } from '#core/domain/log/submission-state.ts';
import { afterStateEntry, stateEntries, deviceKeysAt } from '#server/counting/submission-state.ts';
import { challengeRow } from '../project/project-operator.ts';
import type { RowPlace } from '../state/standing-row.ts';
import { announceStandings } from './announcements.ts';
import { challengeRanking, challengeValues } from './challenge-standings.ts';
import { type ChallengeRow, type Freezing, type FrozenPlace, rankedBy } from '#db/challenges.ts';
import type { Store } from '#db/store.ts';
import type { AcceptedRow } from '#db/submissions.ts';

/** The data to store for a challenge that has closed. */
export interface ClosedChallenge {
  row: ChallengeRow;
  freezing: Omit<Freezing, 'frozen_at'>;
  places: FrozenPlace[];
}

/** An operator with tokens that count in a challenge. */
interface Contender {
  id: number;
  row: RowPlace;
}

/** Which of an operator's submissions counted at a log entry, if this may have changed since. */
interface StatesAt {
  /** Those that did not count. */
  out: ReadonlySet<number>;
  /** Those that counted, and about which something was decided later. */
  decidedLater: readonly number[];
}

/**
 * Computes final standings. Operators with later entries are counted again as of the close, so that later decisions
 * change nobody's place, whether they come before the next publication or after. Call it inside the snapshot in which
 * the operators were read.
 *
 * @param ids All operators on the board, by name.
 * @param rowOf The projected row of an operator; null without tokens that count.
 */
export function closeChallenge(
  store: Store,
  row: ChallengeRow,
  ids: readonly number[],
  rowOf: (id: number) => RowPlace | null,
): ClosedChallenge {
  const challenge = rankedBy(row);
  const until = store.challenges.lastEntryBefore(new Date(closesAtMs(row)).toISOString());
  const later = new Map(store.signalRecords.changedSince(until));
  const left_out = store.challenges
    .leftOut(row, until)
    .flatMap(({ log_index, operator_id }) => (later.has(operator_id) ? [] : log_index));
  const contenders = ids.flatMap((id): Contender[] => {
    const projected = rowOf(id);
    if (!later.has(id)) return projected ? [{ id, row: projected }] : [];
    const states = statesAt(store, id, until);
    for (const log_index of states.out) left_out.push(log_index);
    const { series, stated } = daysUpTo(store, { operator_id: id, until, challenge, states });
    const counted = challengeRow(series, stated, challenge);
    return counted ? [{ id, row: counted }] : [];
  });
  const { places, unranked } = placesOf(challenge, contenders);
  return {
    row,
    freezing: {
      seq: row.seq,
      frozen_log_index: until,
      left_out: JSON.stringify(left_out),
      unranked,
    },
    places,
  };
}

/** Stores final standings in chunks. They become readable once the last chunk is stored. */
export function storeClosed(
  store: Store,
  { row, freezing, places }: ClosedChallenge,
  frozen_at: string,
): void {
  const { seq } = freezing;
  store.challenges.forgetPlaces(seq);
  writeInChunks(places, (chunk) => store.challenges.addPlaces(seq, chunk));
  store.transaction(() => {
    const isFinal = store.challenges.freeze({ ...freezing, frozen_at });
    if (isFinal) announceStandings(store, row, places, new Date(frozen_at));
  });
}

function placesOf(challenge: RankedChallenge, contenders: readonly Contender[]) {
  const rows = contenders.map(({ row }) => row);
  const { ranked, ranks, best, worst, unranked } = challengeRanking(challenge, rows);
  const places = Array.from(ranked, (at, index): FrozenPlace => {
    const { id, row } = contenders[at] as Contender;
    return {
      operator_id: id,
      place: index + 1,
      rank: ranks[index] as number,
      best: best[index] as number,
      worst: worst[index] as number,
      ...challengeValues(row, challenge.metric),
    };
  });
  return { places, unranked: unranked.length };
}

function statesAt(store: Store, operator_id: number, until: number): StatesAt {
  const states = new Map<number, LoggedState>();
  const later = new Set<number>();
  for (const entry of stateEntries(store, operator_id)) {
    const { log_index, place } = entry;
    if (place > until) continue;
    if (log_index > until) later.add(place);
    else states.set(place, afterStateEntry(states.get(place), entry));
  }
  const notCounting = [...states].filter(([, state]) => stateOf(state) !== 'accepted');
  const out = new Set(notCounting.map(([place]) => place));
  return { out, decidedLater: [...later].filter((place) => !out.has(place)) };
}

/** An operator's signed and stated days on which a challenge depends, from submissions that counted at an entry. */
function daysUpTo(
  store: Store,
  of: { operator_id: number; until: number; challenge: RankedChallenge; states: StatesAt },
): { series: DaySeries; stated: StatedSpans } {
  const { operator_id, until, states } = of;
  const { tool } = of.challenge;
  const { first, last } = concernedDays(of.challenge);
  const nextAfter = (log_index: number) =>
    store.submissions.nextAccepted(operator_id, log_index, states.decidedLater);
  const deviceOf = devicesAt(store, operator_id, until);
  const replay = new Replay();
  const covered: DaySpan[] = [];
  for (let row = nextAfter(0); row && row.log_index <= until; row = nextAfter(row.log_index)) {
    const { payload, ...submission } = row;
    if (states.out.has(row.log_index)) continue;
    const { correction, covers, buckets } = readLoggedSnapshot(payload);
    if (covers) covered.push([dayNumber(covers.from), dayNumber(covers.to)]);
    const concerned = buckets.filter(({ day }) => isWithin(dayNumber(day), first, last));
    replay.apply({ ...submission, device_id: deviceOf(row), correction, buckets: concerned });
  }
  const usage = replay
    .result()
    .filter(({ counts, trust }) => counts === 1 && trust === 'signed')
    .map((bucket) => ({ ...bucket.counted, day: dayNumber(bucket.day), source: bucket }))
    .sort((a, b) => a.day - b.day);
  const ofTool = usage.filter(({ source }) => tool === null || source.tool === tool);
  return { series: seriesOf(ofTool), stated: statedSpans(seriesOf(usage).all.day, covered) };
}

/** Which days a challenge depends on. A minimum of stated days depends on the first and last one of the account. */
function concernedDays({ first, last, eligibility, interval }: RankedChallenge) {
  return eligibility.stated_days
    ? { first: -Infinity, last: Infinity }
    : { first: firstConcerned({ first, last }, methodNamed(interval)), last };
}

function isWithin(day: number, first: number, last: number): boolean {
  return day >= first && day <= last;
}

/**
 * Numbers the devices for which submissions counted at a log entry, because other devices may have replaced them
 * since.
 */
function devicesAt(
  store: Store,
  operator_id: number,
  until: number,
): (row: Pick<AcceptedRow, 'device_id' | 'keyid'>) => number {
  const keys = deviceKeysAt(store, operator_id, until);
  const numbers = new Map<string, number>();
  return ({ keyid, device_id }) => {
    const device = keyid === null ? undefined : keys.get(keyid)?.device;
    if (device === undefined) return device_id;
    // Negative, because self-reports keep the number of their row.
    const number = numbers.get(device) ?? -1 - numbers.size;
    numbers.set(device, number);
    return number;
  };
}
