/** Uses are noted so often, in milliseconds, because each note is a write. */
const NOTED_MS = 60 * 60 * 1000;

/**
 * Notes a use now and then; no read fails because that cannot be written.
 *
 * @param last When one was noted last, if ever.
 */
export function noteUse(last: string | null, now: Date, note: (at: string) => void): void {
  if (last !== null && now.getTime() - Date.parse(last) < NOTED_MS) return;
  try {
    note(now.toISOString());
  } catch {
    // The next use is noted.
  }
}
