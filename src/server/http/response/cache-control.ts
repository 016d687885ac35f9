/** How long caches may keep an answer: as the table of routes says, unless the answer leads on by a cursor. */
import { ROUTE_TABLE } from '#core/contract/routes.ts';

export function cacheControl(seconds: number): string {
  return seconds === 0 ? 'no-store' : `public, max-age=${seconds}`;
}

/** What the route of a path says. */
export function cacheControlAt(path: string): string {
  const page = ROUTE_TABLE.pageOfMarkdown(path) ?? path;
  return cacheControl(ROUTE_TABLE.find(page)?.cacheSeconds ?? 0);
}

/** Adds to a page what its route says of it, unless the page says otherwise. */
export function finishPageHeaders({ headers }: Response, path: string): void {
  if (!headers.get('Content-Type')?.startsWith('text/html')) return;
  headers.set('Content-Type', 'text/html; charset=utf-8');
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', cacheControlAt(path));
}

/** How long other public answers may be kept, in seconds. */
const USUAL_SECONDS = 60;

/** The headers of a page of a list that belongs to a publication: its cursor outlives the copy by one or more. */
export function cursorHeaders(
  { refreshMs }: { refreshMs: number },
  { next_cursor }: { next_cursor: string | null },
  isPaged = next_cursor !== null,
): Record<string, string> {
  if (!isPaged) return {};
  const seconds = Math.min(USUAL_SECONDS, Math.floor(refreshMs / 1000));
  return { 'Cache-Control': `public, max-age=${seconds}` };
}

/** The same for a page of the board's. */
export function setCursorHeaders(
  { response, locals }: { response: { headers: Headers }; locals: App.Locals },
  list: { next_cursor: string | null },
  isPaged = list.next_cursor !== null,
): void {
  const fields = Object.entries(cursorHeaders(locals.ctx.config, list, isPaged));
  fields.forEach(([name, value]) => response.headers.set(name, value));
}
