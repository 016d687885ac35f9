/** A path of plain characters; a second slash at its start would name another site. */
const RETURN_PATH = /^\/(?!\/)[\w.~!$&'()*+,;=:@/?%-]*$/;

const MAX_LENGTH = 500;

/**
 * The path to go to after signing in, or null if it could lead away from this board: browsers drop
 * control characters and read backslashes as slashes, so only plain characters pass.
 */
export function returnPath(text: string): string | null {
  if (text.length > MAX_LENGTH || !RETURN_PATH.test(text)) return null;
  const [path = ''] = text.split('?', 1);
  // Escapes and doubled slashes are for pages that nobody comes back to.
  if (/%|\/\//.test(path) || path.includes('/..')) return null;
  return text;
}
