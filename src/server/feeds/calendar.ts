/** Calendar files. @see {@link https://www.rfc-editor.org/rfc/rfc5545 | RFC 5545} */
import { dayName, dayNumber } from '#core/domain/counting/day.ts';

export const CALENDAR_MEDIA_TYPE = 'text/calendar';

/** An event of whole days. */
export interface CalendarEvent {
  /** Identifies the event forever. */
  uid: string;
  created_at: string;
  first_day: string;
  last_day: string;
  title: string;
  text: string;
  url: string;
  isCancelled: boolean;
}

/** The most bytes of a line, without its end (section 3.1). */
const LINE_BYTES = 75;

/** A calendar with one event. */
export function calendarText(name: string, event: CalendarEvent): string {
  const { uid, created_at, first_day, last_day, title, text, url, isCancelled } = event;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//Opbench//${escaped(name)}//EN`,
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:${created_at.replaceAll(/[-:]|\.\d+/g, '')}`,
    `DTSTART;VALUE=DATE:${compact(first_day)}`,
    // The end is the first day that is not part of the event.
    `DTEND;VALUE=DATE:${compact(dayName(dayNumber(last_day) + 1))}`,
    `SUMMARY:${escaped(title)}`,
    `DESCRIPTION:${escaped(text)}`,
    `URL:${url}`,
    `STATUS:${isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

const compact = (day: string) => day.replaceAll('-', '');

/** A text value (section 3.3.11). */
function escaped(text: string): string {
  return text.replaceAll(/[\\;,]/g, '\\$&').replaceAll(/\r?\n/g, '\\n');
}

/** A line that is too long continues after a line break and a space. */
function folded(line: string): string {
  let bytes = 0;
  let result = '';
  for (const character of line) {
    const length = Buffer.byteLength(character);
    if (bytes + length > LINE_BYTES) {
      result += '\r\n ';
      bytes = 1;
    }
    result += character;
    bytes += length;
  }
  return result;
}
