/** What a scan passes to the ledger, and what it treats as known. */
import { appendFileSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ScanLedger, scanLogs, type ToolScan } from '#agent/logs/scan.ts';
import { claudeCode } from '#core/readers/claude-code.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { age, indexOf } from '#tests/support/logs/log-index.ts';
import { aClaudeLine } from '#tests/support/logs/log-writers.ts';

interface FakeLedger extends ScanLedger {
  id: string;
  run: number;
  rules: number | undefined;
  taken: ToolScan[];
}

/** A ledger that accepts everything, in one run each time. */
function aLedger(over: Partial<FakeLedger> = {}): FakeLedger {
  const ledger: FakeLedger = {
    id: 'ledger-1',
    run: 0,
    rules: claudeCode.rules,
    taken: [],
    rulesOf: () => ledger.rules,
    hasCounted: () => false,
    forget: () => Promise.resolve(),
    take(scans) {
      ledger.taken.push(...scans);
      ledger.run += 1;
      return Promise.resolve();
    },
    ...over,
  };
  return ledger;
}

/** A home folder with an hour-old transcript for each of these outputs. */
function aHome(...outputs: number[]) {
  const logs = outputs.map((output) => [`.claude/projects/p/${output}.jsonl`, line(output)]);
  const HOME = aFolder(Object.fromEntries(logs) as Record<string, string>);
  age(HOME);
  return {
    env: { HOME },
    pathOf: (output: number) => join(HOME, `.claude/projects/p/${output}.jsonl`),
  };
}

function line(output: number): string {
  return `${aClaudeLine({ id: `msg_${output}`, output })}\n`;
}

/** The keys of the responses that a scan passes on, by tool. */
async function handedOver(env: { HOME: string }, ledger: FakeLedger) {
  ledger.taken = [];
  await scanLogs(env, { ledger });
  return ledger.taken.map(({ news }) => news.map(({ key }) => key).sort());
}

const ALL = [['msg_1', 'msg_2']];

test('all responses are passed on once, and then only news', async () => {
  const { env, pathOf } = aHome(1, 2);
  const ledger = aLedger();

  expect(await handedOver(env, ledger)).toEqual(ALL);
  expect(await handedOver(env, ledger)).toEqual([]);
  expect(ledger.run).toBe(1);

  appendFileSync(pathOf(2), line(3));
  age(pathOf(2));
  expect(await handedOver(env, ledger)).toEqual([['msg_3']]);
  expect(await handedOver(env, ledger)).toEqual([]);

  rmSync(pathOf(1));
  expect(await handedOver(env, ledger)).toEqual([[]]);
  expect([...(ledger.taken[0]?.logs.stamps.keys() ?? [])]).toEqual([pathOf(2)]);
});

test('only news are passed on when a log grows, and everything to another ledger', async () => {
  const { env, pathOf } = aHome(1, 2);
  const ledger = aLedger();
  await scanLogs(env, { ledger });
  appendFileSync(pathOf(2), `${aClaudeLine({ id: 'msg_3', at: 1 })}\n`);
  age(pathOf(2));
  expect(await handedOver(env, ledger)).toEqual([['msg_3']]);

  appendFileSync(pathOf(2), `${aClaudeLine({ id: 'msg_3', at: 1, output: 9 })}\n`);
  age(pathOf(2));
  expect(await handedOver(env, ledger)).toEqual([['msg_3']]);

  appendFileSync(pathOf(2), `${aClaudeLine({ id: 'msg_4', at: 2 })}\n`);
  age(pathOf(2));
  const other = aLedger({ id: 'ledger-2', run: 9 });
  expect(await handedOver(env, other)).toEqual([['msg_1', 'msg_2', 'msg_3', 'msg_4']]);
});

test.each<[string, Partial<FakeLedger>]>([
  ['has been replaced', { id: 'ledger-2' }],
  ['was restored from a backup', { run: 0 }],
  ['was counted by other rules', { rules: claudeCode.rules - 1 }],
  ['does not know the tool', { rules: undefined }],
])('a ledger that %s receives all responses, and no log is read again', async (_, over) => {
  const { env } = aHome(1, 2);
  await scanLogs(env, { ledger: aLedger() });
  const entries = readdirSync(indexOf(env)).filter((name) => name.endsWith('-entries.json'));
  const written = () => entries.map((name) => statSync(join(indexOf(env), name)).ino);
  const before = written();

  expect(await handedOver(env, aLedger({ run: 1, ...over }))).toEqual(ALL);
  expect(written()).toEqual(before);
});

test('a ledger with later runs receives nothing', async () => {
  const { env } = aHome(1, 2);
  await scanLogs(env, { ledger: aLedger() });

  expect(await handedOver(env, aLedger({ run: 9 }))).toEqual([]);
});

test('results of a scan without a ledger are passed on by the next one', async () => {
  const { env } = aHome(1, 2);
  await scanLogs(env);

  expect(await handedOver(env, aLedger())).toEqual(ALL);
});

test('the ledger is updated before the index', async () => {
  const { env } = aHome(1, 2);
  let isIndexed: boolean | null = null;
  const take = () => {
    isIndexed = existsSync(indexOf(env));
    return Promise.reject(new Error('killed'));
  };

  await expect(scanLogs(env, { ledger: aLedger({ take }) })).rejects.toThrow('killed');
  expect(isIndexed).toBe(false);
  expect(await handedOver(env, aLedger({ run: 1 }))).toEqual(ALL);
});

test('a ledger that could not be saved and has a new ID receives everything again', async () => {
  const { env } = aHome(1, 2);
  const unsaved = aLedger();
  unsaved.take = () => Promise.resolve(void (unsaved.id = 'unsaved'));
  await scanLogs(env, { ledger: unsaved });

  expect(await handedOver(env, aLedger({ id: 'unsaved', run: 9 }))).toEqual(ALL);
});

test('nothing is passed on without logs, and no impossibly large counts', async () => {
  const ledger = aLedger();
  expect(await handedOver({ HOME: aFolder() }, ledger)).toEqual([]);

  const huge = 300_000_000_000_000;
  const { env } = aHome(1, huge);
  expect(await handedOver(env, ledger)).toEqual([['msg_1']]);
});
