/** Writes a handler's result as JSON, CSV or text, with the link to the next page. */
import { stringify } from 'csv-stringify/sync';
import { CSV_MEDIA_TYPE, sheetOf } from '#core/contract/csv.ts';
import { type Route, isShared } from '#core/contract/route.ts';
import { answerTag } from './prepared-response.ts';
import { yieldToEventLoop } from '#server/process/yield-to-event-loop.ts';
import { cacheControl } from './cache-control.ts';

export type Answer<Reply> = (Whole<Reply> | InPieces) & {
  status?: number;
  headers?: Record<string, string>;
};

interface Whole<Reply> {
  body: Reply;
}

/** The result of a streamed route: text that is produced as the client reads it. */
interface InPieces {
  pieces: Iterable<string>;
}

/**
 * Writes a response.
 *
 * @param url The requested URL.
 * @param format The format in the query.
 */
export function replyTo(
  route: Route,
  answer: Answer<unknown>,
  { url, format }: { url: URL; format: unknown },
): Response {
  const { status = route.statuses[0] ?? 200, headers = {} } = answer;
  const type = route.replyType ?? 'application/json';
  if ('pieces' in answer) {
    const common = {
      'Cache-Control': cacheControl(route.cacheSeconds),
      ...fileHeader(route),
      ...headers,
    };
    return new Response(streamOf(answer.pieces), {
      status,
      headers: { ...common, 'Content-Type': type },
    });
  }
  const { body } = answer;
  const common = {
    'Cache-Control': cacheControl(route.cacheSeconds),
    ...nextLink(body, url),
    ...headers,
  };
  if (route.table && format === 'csv') {
    const text = csvOf(route.table, body);
    return new Response(text, { status, headers: { ...common, ...csvHeaders(url) } });
  }
  if (typeof body === 'string') {
    const headers = { ...common, 'Content-Type': `${type}; charset=utf-8` };
    return new Response(body, { status, headers });
  }
  return Response.json(body, {
    status,
    headers: { ...common, ...tagHeader(route, body), 'Content-Type': type },
  });
}

/** The ETag of a result that contains the time of its computation. Other responses get the tag of their bytes. */
function tagHeader(route: Route, body: unknown): Record<string, string> {
  const tag = isShared(route) ? answerTag(body) : null;
  return tag === null ? {} : { ETag: tag };
}

/** A stream that produces the next chunk only after the client has read the previous one. */
export function streamOf(pieces: Iterable<string>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.iterator]();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // Lets other requests run, however fast the client reads.
        await yieldToEventLoop();
        const { done = false, value } = iterator.next() as IteratorResult<string, undefined>;
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel: () => void iterator.return?.(),
    },
    { highWaterMark: 0 },
  );
}

function fileHeader({ fileName }: Route): Record<string, string> {
  return fileName ? { 'Content-Disposition': `attachment; filename="${fileName}"` } : {};
}

/** Keeps the query in the client's own spelling. */
function nextLink(body: unknown, url: URL): Record<string, string> {
  const { next_cursor: cursor } = (body ?? {}) as { next_cursor?: unknown };
  if (typeof cursor !== 'string') return {};
  const query = new URLSearchParams(url.searchParams);
  query.set('cursor', cursor);
  return { Link: `<${url.pathname}?${query}>; rel="next"` };
}

/**
 * Writes a table as CSV. Cells that a spreadsheet would take for formulas get an apostrophe in front.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc4180 | RFC 4180}
 */
function csvOf(table: NonNullable<Route['table']>, reply: unknown): string {
  const { columns, rows } = sheetOf(table, reply);
  return stringify([columns, ...rows], {
    record_delimiter: 'windows',
    // Otherwise a single line feed inside a cell would not be quoted.
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
