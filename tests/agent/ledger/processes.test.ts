/** Ledgers that are written by real processes. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { nameOf } from '#agent/ledger/row.ts';
import { aLedger } from '#tests/support/agent/ledger.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { start } from '#tests/support/http/process.ts';

const WRITER = fileURLToPath(new URL('../../support/agent/ledger-writer.ts', import.meta.url));
const ENDLESS = 100_000;

function startWriter(folder: string, prefix: string, count: number) {
  return start(process.execPath, [WRITER, folder, prefix, String(count)], {});
}

/** The names of all responses in a ledger. */
function keptIn(folder: string): string[] {
  const { ledger } = aLedger(folder);
  return ledger.buckets().flatMap((bucket) => ledger.responsesOf(bucket).map(({ name }) => name));
}

function namesOf(keys: readonly string[]): string[] {
  return keys.map((key) => nameOf('t', key)).sort();
}

test('two concurrent processes lose no response', async () => {
  const folder = join(aFolder(), 'ledger');

  const writers = ['a', 'b'].map((prefix) => startWriter(folder, prefix, 12).finished);
  const printed = (await Promise.all(writers)).flatMap(({ stdout }) => stdout.trim().split('\n'));

  expect(printed).toHaveLength(24);
  expect(keptIn(folder).sort()).toEqual(namesOf(printed));
});

test('kill -9 loses nothing that was saved, and does not block others', async () => {
  const folder = join(aFolder(), 'ledger');
  const printed: string[] = [];
  for (const prefix of ['a', 'b', 'c']) {
    let lines = 0;
    const { child, finished } = startWriter(folder, prefix, ENDLESS);
    child.stdout?.on('data', () => (lines += 1) % 5 === 0 && child.kill('SIGKILL'));
    const { stdout } = await finished;
    printed.push(...stdout.split('\n').slice(0, -1));
  }

  const kept = keptIn(folder);
  const { stdout } = await startWriter(folder, 'd', 1).finished;

  expect(kept).toEqual(expect.arrayContaining(namesOf(printed)));
  expect(kept.length).toBeLessThanOrEqual(printed.length + 3);
  expect(keptIn(folder)).toHaveLength(kept.length + 1);
  expect(stdout).toBe('d0\n');
  expect(readdirSync(folder).filter((name) => !/\.(json|rows)$/.test(name))).toEqual([]);
});
