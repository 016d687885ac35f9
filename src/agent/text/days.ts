import { counted } from './counted.ts';
import { dayText } from './known-devices.ts';

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

/** What to type to send withdrawn days again. */
export const SEND_WITHDRAWN = 'opbench submit --withdrawn';
