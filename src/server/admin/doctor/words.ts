const DAY_S = 86_400;
const HOUR_S = 3600;
const MINUTE_S = 60;

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
