/** Doctor's findings about the ledger, and its repairs. */
import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DoctorReport } from '#agent/device-reports.ts';
import { submitAll } from '#agent/loop/submit-all.ts';
import { anOutput, runCommand } from '#tests/support/agent/agent.ts';
import { BASE_URL, DAY_MS, NOW_MS } from '#tests/support/board/builders.ts';
import { query, testContext } from '#tests/support/board/context.ts';
import { anEnrolledDevice } from '#tests/support/agent/enrolled.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { aClaudeLine } from '#tests/support/logs/log-writers.ts';

const LOG_START_MS = Date.UTC(2026, 2, 2);
const AGES = [1, 2];

/** A device that sent two days with one response each. */
async function aMachine() {
  const at = (age: number) => NOW_MS - age * DAY_MS - LOG_START_MS;
  const logs = AGES.map((age) => [
    `.claude/projects/p/${age}.jsonl`,
    `${aClaudeLine({ id: `m${age}`, at: at(age), output: 5 })}\n`,
  ]);
  const home = aFolder(Object.fromEntries(logs) as Record<string, string>);
  // A log that was modified just now is read again each time.
  for (const age of AGES) {
    const written = (NOW_MS - age * DAY_MS) / 1000;
    utimesSync(join(home, `.claude/projects/p/${age}.jsonl`), written, written);
  }
  const ctx = testContext();
  const { device } = await anEnrolledDevice(ctx, 'ada', { home });
  const submit = async () => {
    return (await submitAll(device, { board: BASE_URL, standing: false })).report;
  };
  await submit();
  const folder = join(home, '.config/opbench/ledger');
  const shard = join(folder, readdirSync(folder).find((name) => name.includes('2026-03')) ?? '');
  const removeLog = (age: number) => rmSync(join(home, `.claude/projects/p/${age}.jsonl`));
  const run = async (...args: string[]) => {
    const output = anOutput();
    const all = ['--offline', '--json', ...args];
    const exitCode = await runCommand(device, 'doctor', all, output);
    return { exitCode, ...DoctorReport.parse(JSON.parse(output.results.join(''))) };
  };
  const outputs = () => query(ctx, 'SELECT output FROM buckets WHERE counts = 1 ORDER BY day');
  return { device, folder, shard, submit, removeLog, run, outputs };
}

const cut = (path: string) => writeFileSync(path, readFileSync(path, 'utf8').slice(0, -3));

describe('doctor', () => {
  test('shows the content of the ledger, and what is no longer in the logs', async () => {
    const { folder, removeLog, run } = await aMachine();
    const whole = await run();
    removeLog(2);

    const { exitCode, ledger, repaired, findings } = await run();

    expect(whole.ledger).toEqual({
      path: folder,
      state: 'fine',
      responses: 2,
      daily_counts: 2,
      only_here: { responses: 0, tokens: 0 },
      carried: [],
      set_aside: [],
    });
    expect(ledger.only_here).toEqual({ responses: 1, tokens: expect.any(Number) });
    expect(ledger.only_here.tokens).toBeGreaterThan(0);
    expect([exitCode, repaired, findings]).toEqual([0, [], []]);
  });

  test('finds a damaged file, which --repair rebuilds from the logs', async () => {
    const { shard, run, submit, outputs } = await aMachine();
    cut(shard);

    const found = await run();
    const mended = await run('--repair');
    const after = await run();

    expect(found).toMatchObject({
      exitCode: 1,
      ledger: { state: 'damaged' },
      findings: [{ advice: expect.stringContaining('opbench doctor --repair') }],
    });
    expect(mended.repaired).toEqual([
      expect.stringContaining('could not be read from the ledger'),
      '2 responses could not be read from the ledger',
      '2 responses read again from the logs',
    ]);
    expect(after).toMatchObject({
      exitCode: 0,
      ledger: { state: 'fine', responses: 2, carried: [], set_aside: [`${shard}.damaged`] },
      findings: [
        {
          severity: 'warning',
          text: expect.stringContaining(`${shard}.damaged`),
          advice: expect.stringContaining('opbench doctor --repair'),
        },
      ],
    });
    await submit();
    expect(outputs()).toEqual([{ output: 5 }, { output: 5 }]);
  });

  test('--repair adds counts that only a board has', async () => {
    const { folder, removeLog, run } = await aMachine();
    rmSync(folder, { recursive: true });
    removeLog(2);

    const { ledger, repaired } = await run('--repair');
    const again = await run('--repair');

    expect(repaired.at(-1)).toContain(`1 daily count from 2026-03-08 to 2026-03-08 on ${BASE_URL}`);
    expect(ledger).toMatchObject({
      state: 'fine',
      responses: 1,
      daily_counts: 2,
      carried: [{ board: BASE_URL, daily_counts: 1 }],
    });
    expect(again.ledger).toEqual(ledger);
    expect(again.repaired).toEqual([expect.stringContaining('Nothing to repair')]);
  });

  test('does not change the ledger of a newer version, and says to update', async () => {
    const { folder, run, submit } = await aMachine();
    const path = join(folder, 'summary.json');
    writeFileSync(path, 'opbench-ledger 2 new\n');

    const { exitCode, ledger, findings } = await run('--repair');

    expect(exitCode).toBe(1);
    expect(ledger.state).toBe('blocked');
    expect(findings).toMatchObject([{ severity: 'problem', advice: 'Run: opbench update' }]);
    expect(readFileSync(path, 'utf8')).toBe('opbench-ledger 2 new\n');
    await expect(submit()).rejects.toThrow('A newer version of opbench');
  });

  test('finds a ledger that cannot be saved', async () => {
    const { folder, run } = await aMachine();
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'a file where a folder should be');

    const { exitCode, ledger, findings } = await run();

    expect(exitCode).toBe(1);
    expect(ledger).toMatchObject({ state: expect.stringMatching(/unsaved|blocked/) });
    expect(findings[0]).toMatchObject({ severity: 'problem' });
  });

  test('prints lines of at most 80 columns', async () => {
    const { device, folder, removeLog } = await aMachine();
    rmSync(folder, { recursive: true });
    removeLog(2);
    const output = anOutput();

    await runCommand(device, 'doctor', ['--offline', '--repair'], output);

    const text = output.results.join('\n');
    expect(text).toContain('1 response in 2 daily counts');
    expect(text).toContain(`added from ${BASE_URL}`);
    for (const line of text.split('\n')) {
      if (!/[/\\]\./.test(line)) expect(line.length).toBeLessThanOrEqual(80);
    }
  });
});
