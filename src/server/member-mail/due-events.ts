/** The rules that decide which events members get an email about. */
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { DEFAULT_VIEW } from '#core/domain/board/board-path.ts';
import { DAY_MS, utcDay } from '#core/domain/counting/day.ts';
import type { BoardEntry } from '#core/schema/board.ts';
import type { MailKind } from '#core/schema/member-mail.ts';
import type { AppContext } from '../context.ts';
import type { Publication } from '../publication/read/publication.ts';

/** How long after an event its email is still sent, such as when the board was down. */
export const FRESH_MS = 2 * DAY_MS;
/** Summaries wait until devices with a timer have submitted the last hours of Sunday. */
const SUMMARY_HOUR = 'T06:00:00.000Z';
const MONDAY = 1;
/** How many places directly above a member are searched for operators who were behind. */
const SEARCHED_PLACES = 50;

export interface Member {
  operator_id: number;
  /** Null if nothing about the member is public. */
  public_name: string | null;
  kinds: readonly MailKind[];
  silent_days: number;
  since: string;
}

/** Null if the account cannot receive email. */
export function memberOf({ store }: AppContext, operator_id: number): Member | null {
  const row = store.memberMail.ofOperator(operator_id);
  const operator = store.operators.byId(operator_id);
  if (!row?.confirmed_at || row.problem !== null || !operator) return null;
  if (operator.hidden_at !== null) return null;
  const { kinds, silent_days, since } = row;
  return { operator_id, public_name: operator.public_name, kinds, silent_days, since };
}

interface DueEvent {
  kind: MailKind;
  about: string;
  occurred_at: string;
}

/** The recent events that a member wants to know about, whether an email was already queued or not. */
export function dueEvents(ctx: AppContext, publication: Publication, member: Member): DueEvent[] {
  const nowMs = ctx.now().getTime();
  const oldest = new Date(nowMs - FRESH_MS).toISOString();
  const now = new Date(nowMs).toISOString();
  return member.kinds
    .flatMap((kind) => RULES[kind](ctx, publication, member).map((event) => ({ kind, ...event })))
    .filter(({ occurred_at: at }) => at >= member.since && at >= oldest && at <= now);
}

type Rule = (ctx: AppContext, publication: Publication, member: Member) => Omit<DueEvent, 'kind'>[];

const RULES: Readonly<Record<MailKind, Rule>> = {
  weekly({ now }) {
    const today = utcDay(now().getTime());
    const isMonday = now().getUTCDay() === MONDAY;
    return isMonday ? [{ about: today, occurred_at: today + SUMMARY_HOUR }] : [];
  },
  /** At most one a day: the day is what the queue knows it by. */
  overtaken(ctx, publication, { operator_id, public_name }) {
    const about = utcDay(ctx.now().getTime());
    if (public_name === null || ctx.store.mailQueue.has(operator_id, 'overtaken', about)) return [];
    const isTrue = overtakersOf(publication, public_name).length > 0 && publication.as_of === about;
    return isTrue ? [{ about, occurred_at: publication.generated_at }] : [];
  },
  /** At most one a day, with all records of the day. */
  record(_, { records }) {
    return METRIC_NAMES.flatMap((metric) => records.of(metric).slice(0, 1)).map(
      ({ achieved_at }) => ({ about: achieved_at.slice(0, 10), occurred_at: achieved_at }),
    );
  },
  challenge({ store }) {
    return store.challenges.all().flatMap((row) => {
      const start = { about: `start ${row.id}`, occurred_at: `${row.first_day}T00:00:00.000Z` };
      const isKnown = row.created_at <= start.occurred_at;
      const begun = isKnown ? start : { ...start, occurred_at: row.created_at };
      const end = { about: `end ${row.id}`, occurred_at: row.frozen_at ?? '' };
      return row.cancelled_at === null ? [begun, ...(row.frozen_at === null ? [] : [end])] : [];
    });
  },
  silent(ctx, _, { operator_id, silent_days }) {
    return silentDevices(ctx, operator_id, silent_days).map(({ id, last, silentAt }) => {
      return { about: `${id} ${last.slice(0, 10)}`, occurred_at: silentAt };
    });
  },
};

/**
 * Operators who are directly above a member on the default board and were behind on the day before; empty unless the
 * member's rank fell. Uses only ranks and movements that the board shows.
 */
export function overtakersOf(publication: Publication, public_name: string): BoardEntry[] {
  const { window, metric } = DEFAULT_VIEW;
  const board = publication.window(window);
  const own = board.find(metric, public_name);
  if (!own || !('rank' in own) || (own.movement.day ?? 0) >= 0) return [];
  const before = own.rank + (own.movement.day as number);
  const from = Math.max(0, own.rank - 1 - SEARCHED_PLACES);
  const above = board.ranked(metric, { from, limit: own.rank - 1 - from }).entries;
  return above.filter(({ rank, movement: { day } }) => day !== null && rank + day > before);
}

/** A member's active devices whose last submission is that many days ago, and when it became so. */
export function silentDevices(ctx: AppContext, operator_id: number, days: number) {
  return ctx.store.devices
    .ofOperator(operator_id, MAX_DEVICES)
    .filter(({ revoked_at }) => revoked_at === null)
    .map(({ public_id: id, label, last_submission_at, enrolled_at }) => {
      const last = last_submission_at ?? enrolled_at;
      return {
        id,
        label,
        last,
        silentAt: new Date(Date.parse(last) + days * DAY_MS).toISOString(),
      };
    })
    .filter(({ silentAt }) => silentAt <= ctx.now().toISOString());
}

/** As many as can be active. */
const MAX_DEVICES = 50;
