/** The devices of an account, as `enroll` lists them and asks about them. */
import { plain } from '#core/domain/text/terminal-text.ts';
import type { KnownDeviceAnswer } from '../board/answers.ts';
import type { Recognized } from '../loop/enroll-decision.ts';
import { counted } from './figures.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A day as "18 Nov", with the year if it is not the current one. */
export function dayText(instant: string, nowMs: number): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(instant) ?? [];
  if (day === undefined) return plain(instant);
  const text = `${Number(day)} ${MONTHS[Number(month) - 1]}`;
  return year === String(new Date(nowMs).getUTCFullYear()) ? text : `${text} ${year}`;
}

/** When a device was last used: "last seen 18 Nov". */
function seenText(
  { last_submission_at }: Pick<KnownDeviceAnswer, 'last_submission_at'>,
  nowMs: number,
): string {
  return last_submission_at === null
    ? 'never used'
    : `last seen ${dayText(last_submission_at, nowMs)}`;
}

/** A device in a sentence: "laptop" (last seen 18 Nov). */
export function deviceText(device: KnownDeviceAnswer, nowMs: number): string {
  return `"${plain(device.label)}" (${seenText(device, nowMs)})`;
}

export function deviceLines(
  devices: readonly KnownDeviceAnswer[],
  recognized: readonly Recognized[],
  nowMs: number,
): string[] {
  return devices.map((device) => {
    const found = recognized.find((one) => one.device.id === device.id);
    const notes = [
      seenText(device, nowMs),
      ...(device.revoked_at === null ? [] : ['revoked']),
      ...(found ? [reasonText(found)] : []),
    ];
    return `  "${plain(device.label)}": ${notes.join(', ')}`;
  });
}

function reasonText({ hasKey, days }: Recognized): string {
  const equal = `${counted(days, 'day')} match the logs of this machine`;
  if (!hasKey) return equal;
  return days > 0 ? `its key is in this state folder, ${equal}` : 'its key is in this state folder';
}

/** Up to this many days are listed one by one; for more, only the first and the last are shown. */
const MAX_NAMED = 3;

/** Days in order: "18 Nov", "18 Nov and 19 Nov", "1 Nov to 19 Nov". */
export function daysText(days: readonly string[], nowMs: number): string {
  const distinct = [...new Set(days)];
  const texts = distinct.map((day) => dayText(day, nowMs));
  const last = texts.at(-1) ?? '';
  if (texts.length < 2) return last;
  if (texts.length > MAX_NAMED) return `${texts[0]} to ${last}`;
  return `${texts.slice(0, -1).join(', ')} and ${last}`;
}

/** "2 days (18 Nov and 19 Nov) are withdrawn". */
export function withdrawnText(days: readonly string[], nowMs: number): string {
  const verb = days.length === 1 ? 'is' : 'are';
  return `${counted(days.length, 'day')} (${daysText(days, nowMs)}) ${verb} withdrawn`;
}

export const SEND_WITHDRAWN = 'opbench submit --withdrawn';
