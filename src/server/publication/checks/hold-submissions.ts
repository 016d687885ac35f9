import type { Store } from '#db/store.ts';
import type { Operator } from '#db/operators.ts';
import { dayName, dayNumber } from '#core/domain/counting/day.ts';
import { findingText } from '#server/counting/check-findings.ts';
import { enterState } from '#server/counting/submission-state.ts';
import { restateAtOnce } from '#server/counting/recount.ts';
import type { AccountFindings, NewCheck } from './account-findings.ts';

/**
 * Holds the submissions that the checks select, and any that would count again as a result. Returns the days that may
 * have changed.
 *
 * @throws {DomainError} `count_out_of_range` or `too_many_sources` if the counts that remain exceed a limit.
 */
export function holdSubmissions(
  store: Store,
  { operator_id, holds, notes }: AccountFindings,
  now: Date,
): Set<string> {
  const days = new Set<string>();
  if (holds.size === 0) return days;
  const submissions = [...holds.keys()].sort((a, b) => a - b);
  restateAtOnce({ store }, () => {
    const accepted = submissions.filter((place) => {
      return store.submissions.at(place)?.state === 'accepted';
    });
    if (accepted.length === 0) return null;
    const enter = ({ public_id }: Operator) => {
      const found = accepted.map((place) => ({ place, checks: holds.get(place) ?? [] }));
      const related = notes.filter(({ submission }) => accepted.includes(submission));
      keep(store, [...found.flatMap(({ checks }) => checks), ...related], now);
      return Math.max(
        ...found.map(({ place, checks: [check] }) => {
          const { check_id, ...told } = check as NewCheck;
          const by = `check:${check_id}` as const;
          const reason = findingText({ check_id, ...told });
          return enterState(store, { kind: 'hold', public_id, place, by, reason, now });
        }),
      );
    };
    return { operator_id, submissions: accepted, state: 'held', enter };
  });
  for (const place of submissions) {
    const { first_day, last_day } = store.submissions.at(place) ?? { first_day: '', last_day: '' };
    for (let day = dayNumber(first_day); day <= dayNumber(last_day); day += 1) {
      days.add(dayName(day));
    }
  }
  return days;
}

function keep(store: Store, checks: readonly NewCheck[], now: Date): void {
  for (const row of checks) store.checks.add({ ...row, found_at: now.toISOString() });
}
