/** Removes control characters from untrusted text, which could otherwise control the terminal. */

const STEERING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** The same except line breaks and tabs. */
const STEERING_WITHIN_LINES = /[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Untrusted text without control characters. */
export function plain(text: string): string {
  return text.replaceAll(STEERING, '');
}

/** Untrusted text of several lines without control characters other than line breaks and tabs. */
export function plainLines(text: string): string {
  return text.replaceAll(STEERING_WITHIN_LINES, '');
}

/** JSON with control characters escaped. */
export function plainJson(value: unknown): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replaceAll(STEERING, (character) =>
    character.split('').map(escape).join(''),
  );
}
