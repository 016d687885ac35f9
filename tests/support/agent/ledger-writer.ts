/**
 * A process that adds one response after the other to a ledger, and prints the name of each one that is saved: `node
 * ledger-writer.ts FOLDER PREFIX COUNT`.
 *
 * @module
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Ledger } from '#agent/ledger/ledger.ts';

const [folder = '', prefix = '', count = '0'] = process.argv.slice(2);
const TODAY = '2026-03-10';
const MONTHS = 3;

for (let index = 0; index < Number(count); index += 1) {
  const key = `${prefix}${index}`;
  const timestampMs = Date.UTC(2026, index % MONTHS, 9) + index * 1000 + prefix.charCodeAt(0);
  const counts = { input: 1, output: 1, cache_write: null, cache_read: null };
  const response = { key, timestampMs, provider: 'p', model: 'm', ...counts };
  const seen = { logs: {}, isAll: true };
  const ledger = new Ledger(folder, { wait: () => wait(20) });
  const { notes } = await ledger.update(
    [{ tool: 't', rules: 1, responses: [response], known: [], seen, wholeFrom: null }],
    TODAY,
  );
  process.stdout.write(`${notes[0] ?? key}\n`);
}
