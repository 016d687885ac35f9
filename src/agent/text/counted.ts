/** So many of something, as in "1 record" and "2,000 records". */
export function counted(count: number, noun: string): string {
  return `${figure(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A number with marks between its thousands; loading `Intl` would take longer than many a scan. */
export function figure(value: number | null): string {
  if (value === null) return 'not reported';
  const text = Number.isInteger(value) ? String(value) : value.toFixed(3).replace(/\.?0+$/, '');
  return text.replaceAll(/\B(?=(?:\d{3})+(?:\.|$))/g, ',');
}
