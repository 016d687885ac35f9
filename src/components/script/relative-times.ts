/** Times such as "5 minutes ago", with the full time in the title and on paper. */
import { findAll } from './dom.ts';

const MINUTE_MS = 60_000;
const UNITS = [
  ['day', 24 * 60 * MINUTE_MS],
  ['hour', 60 * MINUTE_MS],
  ['minute', MINUTE_MS],
] as const;
/** Older times are clearer as dates. */
const MOST_MS = 7 * 24 * 60 * MINUTE_MS;
/** A date with a time of day. Days alone, and times of day next to a date, stay as they are. */
const INSTANT = /, \d\d:\d\d UTC$/;

const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

export function agoText(ms: number): string {
  const [unit, length] = UNITS.find((one) => ms >= one[1]) ?? ['second', Infinity];
  return format.format(-Math.floor(ms / length), unit);
}

export function showRelativeTimes(): void {
  const times = findAll<HTMLTimeElement>('time').filter((time) => INSTANT.test(time.textContent));
  for (const time of times) time.title = time.textContent;
  const show = (isFull = false) => {
    for (const time of times) {
      const ms = Date.now() - Date.parse(time.dateTime);
      time.textContent = isFull || ms < 0 || ms > MOST_MS ? time.title : agoText(ms);
    }
  };
  show();
  setInterval(show, MINUTE_MS);
  // The next minute restores them.
  addEventListener('beforeprint', () => show(true));
}
