/** Figures as people read them. */

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];
const DAY_S = 86_400;
const HOUR_S = 3600;
const MINUTE_S = 60;

/** A size to three digits, as disks are sold: 1 kB is 1,000 bytes. */
export function sizeText(bytes: number): string {
  const at = Math.min(
    UNITS.length - 1,
    Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)),
  );
  return `${Number((bytes / 1000 ** at).toPrecision(3))} ${UNITS[at]}`;
}

/** How long something is, in its largest whole unit. */
export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const sizes = [
    [DAY_S, 'day'],
    [HOUR_S, 'hour'],
    [MINUTE_S, 'minute'],
  ] as const;
  const [size, unit] = sizes.find(([each]) => seconds >= 2 * each) ?? [1, 'second'];
  const count = Math.round(seconds / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
