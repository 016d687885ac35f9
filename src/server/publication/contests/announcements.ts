/** Events that follow from a publication: new records and leaders, challenges that started or finished. */
import type { ChallengeRow, FrozenPlace } from '#db/challenges.ts';
import type { NewSignalRecord } from '#db/signal-records.ts';
import type { Store } from '#db/store.ts';
import { WEBHOOK_PLACES } from '#core/contract/webhooks.ts';
import { DEFAULT_SLICE } from '#core/domain/board/slices.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import type { MetricName } from '#core/schema/record.ts';
import { announce } from '#server/webhooks/announce.ts';
import type { Field } from '../project/field.ts';
import { valueAt } from '../state/standing-row.ts';

const WINDOW = '30d';

export interface Leader {
  metric: MetricName;
  operator_id: number;
  value: number;
}

/** The first operator by each metric, if there is one. */
export function leadersIn(field: Field): Leader[] {
  return METRIC_NAMES.flatMap((metric, index) => {
    const [slot] = field.ranked(DEFAULT_SLICE, WINDOW, metric);
    const row = slot === undefined ? null : field.row(slot, DEFAULT_SLICE, WINDOW);
    if (slot === undefined || !row) return [];
    return [{ metric, operator_id: field.idOf(slot), value: valueAt(row.numbers, row.at, index) }];
  });
}

export function announceLeaders(store: Store, leaders: readonly Leader[], now: Date): void {
  const { announced, operators } = store;
  const isNew = ({ metric, operator_id }: Leader) => announced.leader(metric) !== operator_id;
  if (!leaders.some(isNew)) return;
  store.transaction(() => {
    for (const { metric, operator_id, value } of leaders.filter(isNew)) {
      if (!operators.byId(operator_id)) continue;
      const previous = announced.leader(metric);
      announced.setLeader(metric, operator_id);
      announce(store, {
        type: 'leader.changed',
        data: {
          codename: 0,
          previous_codename: previous === undefined ? null : 1,
          metric,
          value,
        },
        operators: previous === undefined ? [operator_id] : [operator_id, previous],
        now,
      });
    }
  });
}

/** Call it inside the transaction that stores the records. */
export function announceRecords(
  store: Store,
  records: readonly NewSignalRecord[],
  now: Date,
): void {
  // Each record of a metric is above the one before.
  const highest = new Map(records.map((record) => [record.metric, record]));
  for (const { metric, operator_id, value, first_day, last_day } of highest.values()) {
    announce(store, {
      type: 'record.set',
      data: { codename: 0, metric, value, first_day, last_day },
      operators: [operator_id],
      now,
    });
  }
}

export function announceStarts(store: Store, as_of: string, now: Date): void {
  const started = store.announced.startedChallenges(as_of);
  if (started.length === 0) return;
  store.transaction(() => {
    for (const row of store.challenges.begun(as_of)) {
      if (!started.includes(row.seq) || !store.announced.addChallenge(row.seq)) continue;
      announce(store, { type: 'challenge.started', data: factsOf(row), now });
    }
  });
}

/** Call it inside the transaction that makes the places final. */
export function announceStandings(
  store: Store,
  row: ChallengeRow,
  places: readonly FrozenPlace[],
  now: Date,
): void {
  const first = places.slice(0, WEBHOOK_PLACES);
  const standings = first.map(({ place, rank, value }, codename) => {
    return { place, rank, codename, value };
  });
  announce(store, {
    type: 'challenge.finished',
    data: { ...factsOf(row), total: places.length, standings },
    operators: first.map(({ operator_id }) => operator_id),
    now,
  });
}

function factsOf({ id, title, metric, tool, first_day, last_day }: ChallengeRow) {
  return { id, title, metric, tool, first_day, last_day };
}
