/** How long caches may store a response: as its route says, unless the response contains a cursor. */
import { ROUTE_TABLE } from '#core/contract/routes.ts';

export function cacheControl(seconds: number): string {
  return seconds === 0 ? 'no-store' : `public, max-age=${seconds}`;
}

/** The Cache-Control of a path's route. */
export function cacheControlAt(path: string): string {
  const page = ROUTE_TABLE.pageOfMarkdown(path) ?? path;
  return cacheControl(ROUTE_TABLE.find(page)?.cacheSeconds ?? 0);
}

/** Adds a page's Cache-Control from its route, unless the page sets its own. */
export function finishPageHeaders({ headers }: Response, path: string): void {
  if (!headers.get('Content-Type')?.startsWith('text/html')) return;
  headers.set('Content-Type', 'text/html; charset=utf-8');
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', cacheControlAt(path));
}

/** How long other public responses may be cached, in seconds. */
const USUAL_SECONDS = 60;

/**
 * The headers of one page of a list that belongs to a publication. Its cursor outlives the cached copy by at least
 * one publication.
 */
export function cursorHeaders(
  { refreshMs }: { refreshMs: number },
  { next_cursor }: { next_cursor: string | null },
  isPaged = next_cursor !== null,
): Record<string, string> {
  if (!isPaged) return {};
  const seconds = Math.min(USUAL_SECONDS, Math.floor(refreshMs / 1000));
  return { 'Cache-Control': `public, max-age=${seconds}` };
}

/** Sets the same headers on a page of the board. */
export function setCursorHeaders(
  { response, locals }: { response: { headers: Headers }; locals: App.Locals },
  list: { next_cursor: string | null },
  isPaged = list.next_cursor !== null,
): void {
  const fields = Object.entries(cursorHeaders(locals.ctx.config, list, isPaged));
  fields.forEach(([name, value]) => response.headers.set(name, value));
}
