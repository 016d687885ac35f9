/** The devices of an account, as `enroll` lists them and asks about them. */
import { plain } from '#core/domain/text/terminal-text.ts';
import type { KnownDeviceAnswer } from '../board/answers.ts';
import type { Recognized } from '../loop/enroll-decision.ts';
import { counted } from './figures.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A day for people: "18 Nov", with its year if that is another one. */
export function dayText(instant: string, nowMs: number): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(instant) ?? [];
  if (day === undefined) return plain(instant);
  const text = `${Number(day)} ${MONTHS[Number(month) - 1]}`;
  return year === String(new Date(nowMs).getUTCFullYear()) ? text : `${text} ${year}`;
}

/** When a device was used last, as in "last seen 18 Nov". */
function seenText(
  { last_submission_at }: Pick<KnownDeviceAnswer, 'last_submission_at'>,
  nowMs: number,
): string {
  return last_submission_at === null
    ? 'never used'
    : `last seen ${dayText(last_submission_at, nowMs)}`;
}

/** A device as it is named in a sentence: "laptop" (last seen 18 Nov). */
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
  const equal = `${counted(days, 'day')} equal to the logs of this machine`;
  if (!hasKey) return equal;
  return days > 0 ? `its key is in this state folder, ${equal}` : 'its key is in this state folder';
}

/** Days that are named one by one; of more only the first and the last. */
const MAX_NAMED = 3;

/** Days in order for people: "18 Nov", "18 Nov and 19 Nov", "1 Nov to 19 Nov". */
export function daysText(days: readonly string[], nowMs: number): string {
  const distinct = [...new Set(days)];
  const texts = distinct.map((day) => dayText(day, nowMs));
  const last = texts.at(-1) ?? '';
  if (texts.length < 2) return last;
  if (texts.length > MAX_NAMED) return `${texts[0]} to ${last}`;
  return `${texts.slice(0, -1).join(', ')} and ${last}`;
}

/** What is said of withdrawn days: "2 days (18 Nov and 19 Nov) are withdrawn". */
export function withdrawnText(days: readonly string[], nowMs: number): string {
  const verb = days.length === 1 ? 'is' : 'are';
  return `${counted(days.length, 'day')} (${daysText(days, nowMs)}) ${verb} withdrawn`;
}

export const SEND_WITHDRAWN = 'opbench submit --withdrawn';
