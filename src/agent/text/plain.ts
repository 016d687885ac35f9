/** What steers a terminal instead of being shown. */
const STEERING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Foreign text without control characters, so that it cannot steer the terminal. */
export function plain(text: string): string {
  return text.replaceAll(STEERING, '');
}

/** So many of something, as in "1 record" and "2,000 records". */
export function counted(count: number, noun: string): string {
  return `${figure(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** JSON that cannot steer the terminal either. */
export function plainJson(value: unknown): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replaceAll(STEERING, (character) =>
    character.split('').map(escape).join(''),
  );
}

/** A number with marks between its thousands; loading `Intl` would take longer than many a scan. */
export function figure(value: number | null): string {
  if (value === null) return 'not reported';
  const text = Number.isInteger(value) ? String(value) : value.toFixed(3).replace(/\.?0+$/, '');
  return text.replaceAll(/\B(?=(?:\d{3})+(?:\.|$))/g, ',');
}
