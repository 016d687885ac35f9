import { isSameUse } from '#core/domain/counting/bucket.ts';
import type { LoggedResponse } from '#core/schema/usage.ts';

/** Responses of a scan: those that the ledger may not have, and those that it has. */
export interface News {
  news: readonly LoggedResponse[];
  known: readonly LoggedResponse[];
}

/** @param before Responses of an earlier scan that the ledger has; null if unknown. */
export function newsAmong(
  responses: readonly LoggedResponse[],
  before: readonly LoggedResponse[] | null,
): News {
  if (before === null) return { news: responses, known: [] };
  const byKey = new Map(before.map((response) => [response.key, response]));
  const news: LoggedResponse[] = [];
  const known: LoggedResponse[] = [];
  for (const response of responses) {
    const same = byKey.get(response.key);
    (same && isSame(same, response) ? known : news).push(response);
  }
  return { news, known };
}

function isSame(a: LoggedResponse, b: LoggedResponse): boolean {
  return a.timestampMs === b.timestampMs && isSameUse(a, b);
}
