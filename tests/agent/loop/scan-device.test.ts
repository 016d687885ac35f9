/** The ledger matches the logs as long as they exist. */
import { appendFileSync, readFileSync, truncateSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { scanDevice } from '#agent/loop/scan-device.ts';
import { readers } from '#core/readers/readers.ts';
import { NOW_MS } from '#tests/support/board/builders.ts';
import { logCases } from '#tests/support/logs/log-fixtures.ts';
import { layOut } from '#tests/support/logs/log-home.ts';
import { age, filesIn } from '#tests/support/logs/log-index.ts';

const cases = readers.flatMap(({ tool }) => logCases(tool));

async function ledgerOf(environment: { HOME?: string }) {
  const { ledger, notes } = await scanDevice({ environment, nowMs: () => NOW_MS });
  expect(notes).toEqual([]);
  return ledger.buckets();
}

function isCopy(path: string): boolean {
  return path.includes('archived_sessions');
}

describe('scanDevice()', () => {
  test.each(cases)('$tool $name: once, and again', async (of) => {
    const env = layOut(of);
    age(env.HOME ?? '');

    expect(await ledgerOf(env)).toEqual(of.buckets);
    expect(await ledgerOf(env)).toEqual(of.buckets);
  });

  test.each(cases)('$tool $name: while the logs grow', async (of) => {
    const env = layOut(of);
    const logs = filesIn(env.HOME ?? '')
      .filter((path) => path.endsWith('.jsonl'))
      .sort((a, b) => Number(isCopy(a)) - Number(isCopy(b)));
    const texts = logs.map((path) => readFileSync(path));
    for (const path of logs) truncateSync(path);
    // One after the other: a fork is written after its parent, and a copy later.
    for (const [index, text] of texts.entries()) {
      for (const part of [0, 1, 2]) {
        const [from, to] = [part, part + 1].map((at) => Math.floor((text.length * at) / 3));
        appendFileSync(logs[index] ?? '', text.subarray(from, to));
        await ledgerOf(env);
      }
    }

    expect(await ledgerOf(env)).toEqual(of.buckets);
  });
});
