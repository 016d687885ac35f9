import { DomainError } from '#core/domain/text/errors.ts';

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
