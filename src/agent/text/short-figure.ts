const UNITS = ['', ' k', ' M', ' G', ' T', ' P'];

/** A count in at most six characters, for tables: three digits and a unit from 10,000 on. */
export function shortFigure(value: number | null): string {
  if (value === null) return '-';
  if (value < 10_000) return String(value);
  let unit = 0;
  let scaled = value;
  // What would round up to four digits goes on to the next unit.
  for (; scaled >= 999.5 && unit < UNITS.length - 1; unit += 1) scaled /= 1000;
  return `${scaled.toPrecision(3)}${UNITS[unit]}`;
}
