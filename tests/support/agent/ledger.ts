/** Ledgers in their own folders, and responses for them. */
import { join } from 'node:path';
import type { LoggedResponse } from '#core/schema/usage.ts';
import { Ledger } from '#agent/ledger/ledger.ts';
import type { Sighting } from '#agent/ledger/types.ts';
import { aFolder } from '../logs/log-folder.ts';

export const TOOL = 'claude-code';
export const TODAY = '2026-03-10';
const NOON_MS = Date.parse(`${TODAY}T12:00:00Z`);
const DAY_MS = 86_400_000;

/** A response a number of days before today, at a time that depends on its key. */
export function aResponse(
  key: string,
  { daysAgo = 0, ...over }: Partial<LoggedResponse> & { daysAgo?: number } = {},
): LoggedResponse {
  const counts = { input: 10, output: 100, cache_write: 5, cache_read: 50 };
  const source = { provider: 'anthropic', model: 'claude-opus-4-1' };
  return {
    key,
    timestampMs: NOON_MS - daysAgo * DAY_MS + instantOf(key),
    ...source,
    ...counts,
    ...over,
  };
}

function instantOf(key: string): number {
  return [...key].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0), 0) * 1000;
}

/** The sighting of a scan with all logs. */
export function aSighting(responses: LoggedResponse[], over: Partial<Sighting> = {}): Sighting {
  const seen = { logs: {}, isAll: true };
  return { tool: TOOL, rules: 1, responses, known: [], seen, wholeFrom: null, ...over };
}

const wait = () => Promise.resolve();

/** A ledger in a folder, by default a new one. */
export function aLedger(folder = join(aFolder(), 'ledger')): { folder: string; ledger: Ledger } {
  return { folder, ledger: new Ledger(folder, { wait }) };
}
