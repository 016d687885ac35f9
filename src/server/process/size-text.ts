const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** A size to three digits, as disks are sold: 1 kB is 1,000 bytes. */
export function sizeText(bytes: number): string {
  const at = Math.min(
    UNITS.length - 1,
    Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)),
  );
  return `${Number((bytes / 1000 ** at).toPrecision(3))} ${UNITS[at]}`;
}
