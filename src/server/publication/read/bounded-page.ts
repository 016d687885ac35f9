import { DomainError } from '#core/domain/text/errors.ts';

/** The most bytes of an answer's entries. MCP sends them twice, once as escaped text. */
const MAX_BYTES = 800_000;

/**
 * Reads a page of lists, and a shorter one if the answer would be too large.
 *
 * @param read Reads a page of at most `limit` entries for each list.
 */
export function boundedPage<Page extends { entries: readonly unknown[]; unranked?: unknown }>(
  limit: number,
  read: (limit: number) => Page,
): Page {
  const page = read(limit);
  const { entries, unranked } = page;
  const fits = fitting(Array.isArray(unranked) ? [entries, unranked] : [entries]);
  return fits < limit ? read(Math.max(1, fits)) : page;
}

/** The most entries for each list with which all lists together stay within the limit; infinite if all fit. */
function fitting(lists: readonly (readonly unknown[])[]): number {
  const longest = Math.max(...lists.map(({ length }) => length));
  let bytes = 0;
  for (let at = 0; at < longest; at += 1) {
    for (const list of lists) {
      if (at < list.length) bytes += Buffer.byteLength(JSON.stringify(list[at]));
    }
    if (bytes > MAX_BYTES) return at;
  }
  return Number.POSITIVE_INFINITY;
}

/**
 * The log index in the cursor of a live list.
 *
 * @throws {DomainError} `query_invalid` for an invalid cursor.
 */
export function readIndexCursor(cursor: string): number {
  if (!/^[1-9]\d{0,14}$/.test(cursor)) throw invalidCursor();
  return Number(cursor);
}

/** The error for a cursor that does not come from this list. */
export function invalidCursor(detail = 'The cursor does not come from this list'): DomainError {
  const fault = { pointer: '#/cursor', code: 'cursor_invalid', detail };
  return new DomainError('query_invalid', detail, [fault]);
}
