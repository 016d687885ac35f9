/** Foreign text where it could steer a terminal instead of being shown. */

const STEERING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** The same but for what ends lines and sets columns. */
const STEERING_WITHIN_LINES = /[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Foreign text without control characters, so that it cannot steer the terminal. */
export function plain(text: string): string {
  return text.replaceAll(STEERING, '');
}

/** The same for a text of several lines, which stay. */
export function plainLines(text: string): string {
  return text.replaceAll(STEERING_WITHIN_LINES, '');
}

/** JSON that cannot steer the terminal either. */
export function plainJson(value: unknown): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replaceAll(STEERING, (character) =>
    character.split('').map(escape).join(''),
  );
}
