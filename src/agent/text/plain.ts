/** What steers a terminal instead of being shown. */
const STEERING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Foreign text without control characters, so that it cannot steer the terminal. */
export function plain(text: string): string {
  return text.replaceAll(STEERING, '');
}

/** JSON that cannot steer the terminal either. */
export function plainJson(value: unknown): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replaceAll(STEERING, (character) =>
    character.split('').map(escape).join(''),
  );
}

const FIGURES = new Intl.NumberFormat('en');

/** A count with marks between its thousands. */
export function figure(value: number | null): string {
  return value === null ? 'not reported' : FIGURES.format(value);
}
