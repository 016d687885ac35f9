/** A path of plain characters. A second slash at the start would make it the URL of another site. */
const RETURN_PATH = /^\/(?!\/)[\w.~!$&'()*+,;=:@/?%-]*$/;

const MAX_LENGTH = 500;

/**
 * The path to open after signing in; null if it could lead away from this board. Browsers drop control characters
 * and read backslashes as slashes, so only plain characters are allowed.
 */
export function returnPath(text: string): string | null {
  if (text.length > MAX_LENGTH || !RETURN_PATH.test(text)) return null;
  const [path = ''] = text.split('?', 1);
  // Pages that people return to have no escapes or double slashes in their paths.
  if (/%|\/\//.test(path) || path.includes('/..')) return null;
  return text;
}
