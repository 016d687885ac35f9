/** What a handler answered, as the wire shows it: JSON or CSV, with the way to the next page. */
import { stringify } from 'csv-stringify/sync';
import { CSV_MEDIA_TYPE, sheetOf } from '#core/contract/csv.ts';
import type { Route } from '#core/contract/route.ts';

export interface Answer<Reply> {
  body: Reply;
  status?: number;
  headers?: Record<string, string>;
}

/**
 * Writes an answer.
 *
 * @param url The address that was asked for.
 * @param format As the query names it.
 */
export function replyTo(
  route: Route,
  { body, status = route.statuses[0] ?? 200, headers = {} }: Answer<unknown>,
  { url, format }: { url: URL; format: unknown },
): Response {
  const common = { 'Cache-Control': cacheControl(route), ...nextLink(body, url), ...headers };
  if (route.table && format === 'csv') {
    const text = csvOf(route.table, body);
    return new Response(text, { status, headers: { ...common, ...csvHeaders(url) } });
  }
  const type = route.replyType ?? 'application/json';
  return Response.json(body, { status, headers: { ...common, 'Content-Type': type } });
}

function cacheControl({ cacheSeconds }: Route): string {
  return cacheSeconds === 0 ? 'no-store' : `public, max-age=${cacheSeconds}`;
}

/** The query goes on as the client spelled it. */
function nextLink(body: unknown, url: URL): Record<string, string> {
  const { next_cursor: cursor } = (body ?? {}) as { next_cursor?: unknown };
  if (typeof cursor !== 'string') return {};
  const query = new URLSearchParams(url.searchParams);
  query.set('cursor', cursor);
  return { Link: `<${url.pathname}?${query}>; rel="next"` };
}

/**
 * A table as CSV. What a spreadsheet would take for a formula gets an apostrophe in front.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc4180 | RFC 4180}
 */
function csvOf(table: NonNullable<Route['table']>, reply: unknown): string {
  const { columns, rows } = sheetOf(table, reply);
  return stringify([columns, ...rows], {
    record_delimiter: 'windows',
    // Without it a lone line feed inside a cell would stay bare.
    quote_record_delimiter: true,
    escape_formulas: true,
    cast: { boolean: String },
  });
}

function csvHeaders({ pathname }: URL): Record<string, string> {
  const name = pathname.replace(/^\/api\/v1\//, '').replaceAll(/[^\w-]+/g, '-');
  return {
    'Content-Type': `${CSV_MEDIA_TYPE}; charset=utf-8; header=present`,
    'Content-Disposition': `attachment; filename="${name}.csv"`,
  };
}
