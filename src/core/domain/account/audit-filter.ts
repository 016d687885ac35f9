/** The filter of the audit log, for its page and its command. */
import { AuditQuery } from '../../schema/audit.ts';
import { dayAfter } from '../counting/day.ts';
import { parseAs } from '../text/faults.ts';

/** The names of the filter's members, as the page's query and the command's options have them. */
export const AUDIT_FILTERS = ['who', 'via', 'action', 'subject', 'since', 'until'] as const;
export type AuditFilterName = (typeof AUDIT_FILTERS)[number];

/** Which entries to list. Empty texts select all. */
export interface AuditFilter extends Record<AuditFilterName, string> {
  /** The UTC day before which entries end, which is the day after the last one. */
  until: string;
}

/**
 * Returns the filter that somebody asked for.
 *
 * @param given Texts by the filter's names. Absent and empty texts select all.
 * @throws {DomainError} `validation_failed`, with a fault for each text that is invalid.
 */
export function auditFilter(
  given: Readonly<Partial<Record<AuditFilterName, string | undefined>>>,
): AuditFilter {
  const asked = AUDIT_FILTERS.flatMap((name) => {
    const text = given[name]?.trim() ?? '';
    return text === '' ? [] : [[name, text] as const];
  });
  const query = parseAs(AuditQuery, Object.fromEntries(asked), 'The filter');
  const { who = '', via = '', action = '', subject = '', since = '', until } = query;
  return { who, via, action, subject, since, until: until === undefined ? '' : dayAfter(until) };
}
