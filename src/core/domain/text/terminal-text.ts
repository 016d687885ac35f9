/** Makes foreign text safe to print: escape sequences could otherwise control the terminal. */

const STEERING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** The same, except line feeds and tabs. */
const STEERING_WITHIN_LINES = /[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns the text without control, format and separator characters. */
export function plain(text: string): string {
  return text.replaceAll(STEERING, '');
}

/** Like {@linkcode plain}, but keeps line feeds and tabs. */
export function plainLines(text: string): string {
  return text.replaceAll(STEERING_WITHIN_LINES, '');
}

/** Returns JSON in which these characters are escaped. */
export function plainJson(value: unknown): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replaceAll(STEERING, (character) =>
    character.split('').map(escape).join(''),
  );
}
