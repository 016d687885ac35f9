import { randomUUID } from 'node:crypto';
import { DAY_MS, dayAfter, dayNumber, utcDay } from '#core/domain/counting/day.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { parseAs } from '#core/domain/text/faults.ts';
import { ANNOUNCEMENT_LIMITS, AnnouncementRequest } from '#core/schema/announcement.ts';
import type { AnnouncementRow } from '#db/announcements.ts';
import type { Board } from '../context.ts';
import { type Actor, audit } from '../process/admin-actions.ts';

interface Author {
  by?: Actor;
  /** The ID of the announcement that the author looked at; null if there was none. Absent to change any. */
  seen?: string | null;
}

/**
 * Sets the announcement, in place of any other. The server must reload it, which it does by itself after a command.
 *
 * @throws {DomainError} `validation_failed`, or `state_conflict` if somebody else changed it since the author looked.
 */
export function setAnnouncement(
  { store, now }: Board,
  input: AnnouncementRequest,
  { by, seen }: Author = {},
): AnnouncementRow {
  const at = now();
  const { text, link, last_day } = parseAs(requestAt(at), input, 'The announcement');
  const ends_at = new Date(dayNumber(dayAfter(last_day)) * DAY_MS).toISOString();
  const row = { id: randomUUID(), text, link, set_at: at.toISOString(), ends_at };
  store.transaction(() => {
    refuseUnseen({ store, now }, seen);
    store.announcements.replace(row);
    const about = { subject: row.id, operator_id: null, reason: text };
    audit(store, { action: 'announcement_set', ...about, now: at, by });
  });
  return row;
}

/**
 * Ends the announcement now.
 *
 * @throws {DomainError} `state_conflict` if there is none, or somebody else changed it since the author looked.
 */
export function endAnnouncement({ store, now }: Board, { by, seen }: Author = {}): void {
  const at = now();
  store.transaction(() => {
    const current = refuseUnseen({ store, now }, seen);
    if (!current) throw new DomainError('state_conflict', 'There is no announcement');
    store.announcements.clear();
    const about = { subject: current.id, operator_id: null, reason: null };
    audit(store, { action: 'announcement_end', ...about, now: at, by });
  });
}

/** Returns the current announcement if it is the one that the author looked at. */
function refuseUnseen({ store, now }: Board, seen: Author['seen']): AnnouncementRow | undefined {
  const current = store.announcements.current(now().toISOString());
  if (seen === undefined || seen === (current?.id ?? null)) return current;
  throw new DomainError(
    'state_conflict',
    'The announcement has changed or ended since you opened this page. Look at it below, then send the form again',
  );
}

/** The request's form at an instant, which limits its last day. */
function requestAt(now: Date) {
  const daysLeft = (day: string) => dayNumber(day) - dayNumber(utcDay(now.getTime()));
  const most = ANNOUNCEMENT_LIMITS.days;
  const last_day = AnnouncementRequest.shape.last_day
    .refine(
      (day) => !(daysLeft(day) < 0),
      'must not be in the past, in UTC. Choose today or a later day',
    )
    .refine(
      (day) => !(daysLeft(day) > most),
      `must be at most ${most} days from today. Choose an earlier day`,
    );
  return AnnouncementRequest.extend({ last_day });
}
