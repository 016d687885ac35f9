import { DomainError } from '#core/domain/text/errors.ts';

/** What the entries of an answer may take: MCP sends them twice, once as escaped text. */
const MAX_BYTES = 800_000;

/**
 * Reads a page of lists, and a shorter one where its entries are so long that the answer would be.
 *
 * @param read Reads a page of at most `limit` entries a list.
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

/** The most entries a list with which all lists together stay within the bound; infinite if all do. */
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
 * The place in the log that the cursor of a live list names.
 *
 * @throws {DomainError} `query_invalid` for what is no such cursor.
 */
export function readIndexCursor(cursor: string): number {
  if (!/^[1-9]\d{0,14}$/.test(cursor)) throw invalidCursor();
  return Number(cursor);
}

/** The refusal of a cursor that no page of the list ended with. */
export function invalidCursor(detail = 'The cursor is not one that this list gave'): DomainError {
  const fault = { pointer: '#/cursor', code: 'cursor_invalid', detail };
  return new DomainError('query_invalid', detail, [fault]);
}
