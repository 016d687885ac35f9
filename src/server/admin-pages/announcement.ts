/** The form with which admins set the announcement. */
import { DAY_MS, utcDay } from '#core/domain/counting/day.ts';
import { ANNOUNCEMENT_LIMITS } from '#core/schema/announcement.ts';
import { endAnnouncement, setAnnouncement } from '../announcement/set-announcement.ts';
import type { AppContext } from '../context.ts';
import { field } from '../http/request/forms.ts';
import type { Actor } from '../process/admin-actions.ts';

/** The form's fields as texts. */
export interface AnnouncementFields {
  text: string;
  link: string;
  last_day: string;
}

export function readAnnouncementForm(form: FormData): AnnouncementFields {
  const textOf = (name: string) => field(form, name).trim();
  return { text: textOf('text'), link: textOf('link'), last_day: textOf('last_day') };
}

/** The announcement that the page of the form showed; null if there was none. */
const seenIn = (form: FormData) => field(form, 'seen') || null;

export function setFromForm(ctx: AppContext, form: FormData, by: Actor): void {
  const { link, ...fields } = readAnnouncementForm(form);
  const request = { ...fields, link: link === '' ? null : link };
  setAnnouncement(ctx, request, { by, seen: seenIn(form) });
  ctx.announcements.reload();
}

export function endFromForm(ctx: AppContext, form: FormData, by: Actor): void {
  endAnnouncement(ctx, { by, seen: seenIn(form) });
  ctx.announcements.reload();
}

/** The current announcement, and what its form begins with. */
export function readAnnouncementPage({ announcements, now }: AppContext) {
  // A command may have changed it a moment ago.
  announcements.reload();
  const nowMs = now().getTime();
  const row = announcements.current();
  const last_day = row && utcDay(Date.parse(row.ends_at) - 1);
  return {
    current: row && { ...row, last_day },
    fields: { text: row?.text ?? '', link: row?.link ?? '', last_day: last_day ?? '' },
    /** A time on the latest possible last day. */
    latest: new Date(nowMs + ANNOUNCEMENT_LIMITS.days * DAY_MS).toISOString(),
  };
}
