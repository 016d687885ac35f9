import type { LoggedResponse } from '#core/schema/usage.ts';
import type { LedgerRows } from './ledger-rows.ts';
import { monthsNear, rowsByName } from './row.ts';
import type { Summary } from './summary-file.ts';
import { rememberLogs } from './types.ts';

/** Logs that are no longer to be counted. */
export interface ExcludedLogs {
  tool: string;
  /** The hashes of their paths. */
  names: ReadonlySet<string>;
  responses: readonly LoggedResponse[];
}

/**
 * Removes the responses of logs from the ledger. Those that are also in other logs are added again by the next scan.
 *
 * @returns The number of removed responses.
 */
export function forget(summary: Summary, rows: LedgerRows, excluded: ExcludedLogs): number {
  const { tool, names, responses } = excluded;
  const told = rowsByName(tool, responses);
  const near = new Set([...told.values()].flatMap(monthsNear));
  let removed = 0;
  for (const month of rows.months(tool).filter((one) => near.has(one))) {
    const shard = rows.load(tool, month);
    const places = shard.near(told).filter((place) => told.has(shard.row(place).name));
    if (places.length === 0) continue;
    removed += places.length;
    rows.set(tool, month, shard.replace(places, []));
  }
  const known = summary.tools[tool];
  if (known?.logs) {
    const left = Object.entries(known.logs.logs).filter(([name]) => !names.has(name));
    known.logs = rememberLogs(known.logs, { logs: Object.fromEntries(left), isAll: true });
    rows.isChanged = true;
  }
  return removed;
}
