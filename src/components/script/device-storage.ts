/** What pages store on the visitor's device. The server never receives it. Browsers can refuse to store anything. */

/** Returns an empty string if nothing is stored. */
export function read(key: string): string {
  try {
    return (localStorage[key] as string | undefined) ?? '';
  } catch {
    return '';
  }
}

/** Stores a text. An empty one removes what is stored. */
export function write(key: string, text: string): void {
  try {
    if (text) localStorage[key] = text;
    else localStorage.removeItem(key);
  } catch {
    // The page works without it.
  }
}
