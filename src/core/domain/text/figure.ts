/** A number in a sentence, with three significant digits below 1,000 and as an integer above. @example `12.3`, `1,234,567` */
export function figure(value: number): string {
  if (value < 1000) return String(Number(value.toPrecision(3)));
  return String(Math.round(value)).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A share in percent, rounded down. 0.29 is 29, although 0.29 * 100 is less. */
export function wholePercent(share: number): number {
  return Math.floor(share * 100 + 1e-9);
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** A size with three significant digits. 1 kB is 1,000 bytes. */
export function sizeText(bytes: number): string {
  const at = Math.min(
    UNITS.length - 1,
    Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)),
  );
  return `${Number((bytes / 1000 ** at).toPrecision(3))} ${UNITS[at]}`;
}
