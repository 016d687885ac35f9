/** How long answers may be kept that lead on by a cursor. */

/** How long other public answers may be kept, in seconds. */
const USUAL_SECONDS = 60;

/** How long a page with a cursor may be kept, in seconds: its cursor outlives the copy by a publication or more. */
export function cursorSeconds({ refreshMs }: { refreshMs: number }): number {
  return Math.min(USUAL_SECONDS, Math.floor(refreshMs / 1000));
}

/** The headers of a page of a list that belongs to a publication. */
export function cursorHeaders(
  config: { refreshMs: number },
  { next_cursor }: { next_cursor: string | null },
): Record<string, string> {
  if (next_cursor === null) return {};
  return { 'Cache-Control': `public, max-age=${cursorSeconds(config)}` };
}
