/** Days on a board after logs were deleted, moved or truncated. */
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { submitAll } from '#agent/loop/submit-all.ts';
import { claudeCode } from '#core/readers/claude-code.ts';
import { changing } from '#tests/support/agent/agent.ts';
import { BASE_URL, DAY_MS, NOW_MS } from '#tests/support/board/builders.ts';
import { query, testContext } from '#tests/support/board/context.ts';
import { anEnrolledDevice } from '#tests/support/agent/enrolled.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { aClaudeLine } from '#tests/support/logs/log-writers.ts';
import { aDeviceLike } from '#tests/support/agent/wires.ts';

const RECENT = '.claude/projects/p';
const SECOND = '.claude/projects/q';
const LEGACY = '.config/claude/projects/p';
const LOG_START_MS = Date.UTC(2026, 2, 2);

/** Logs by path, each with one day and modified on that day. */
type Days = Record<string, number>;

/** One log for each day, by the number of days ago. */
function logsOf(folder: string, from: number, to: number): Days {
  const ages = Array.from({ length: from - to + 1 }, (_, index) => from - index);
  return Object.fromEntries(ages.map((age) => [`${folder}/${age}.jsonl`, age])) as Days;
}

/** Two responses with ten output tokens in total, a number of days ago. */
function linesOf(path: string, age: number): string {
  const at = NOW_MS - age * DAY_MS - LOG_START_MS;
  const lines = ['a', 'b'].map((name) => aClaudeLine({ id: `${name}_${path}`, at, output: 5 }));
  return `${lines.join('\n')}\n`;
}

/** An enrolled device with these logs. */
async function aDevice(days: Days) {
  const files = Object.entries(days).map(([path, age]) => [path, linesOf(path, age)]);
  const home = aFolder(Object.fromEntries(files) as Record<string, string>);
  for (const [path, age] of Object.entries(days)) {
    const at = (NOW_MS - age * DAY_MS) / 1000;
    utimesSync(join(home, path), at, at);
  }
  const ctx = testContext();
  const { device } = await anEnrolledDevice(ctx, 'ada', { home });
  const notes: string[] = [];
  const submit = async (over: Partial<typeof device> = {}) => {
    const asked = {
      board: BASE_URL,
      standing: false,
      note: (text: string) => void notes.push(text),
    };
    return (await submitAll({ ...device, ...over }, asked)).report;
  };
  const submitWith = (over: Record<string, string>) => {
    return submit({ environment: { ...device.environment, ...over } });
  };
  /** The output of each day on the board. */
  const outputs = () => {
    const sql =
      'SELECT day, sum(output) AS output FROM buckets WHERE counts = 1 GROUP BY day ORDER BY day';
    const rows = query(ctx, sql) as { day: string; output: number }[];
    return rows.map(({ output }) => output);
  };
  return { ctx, device, home, notes, submit, submitWith, outputs };
}

/** Makes the reader count everything double, with other rules, until the returned function is called. */
function countDouble(): () => void {
  const { rules, merge } = claudeCode;
  const twice: typeof merge = (files) => {
    return merge(files).map((one) => ({ ...one, output: 2 * one.output }));
  };
  Object.assign(claudeCode, { rules: rules - 1, merge: twice });
  const restore = () => void Object.assign(claudeCode, { rules, merge });
  onTestFinished(restore);
  return restore;
}

describe('submit after rules changed', () => {
  /** A device that sent these days, counted double. */
  async function sentDouble(days: Days) {
    const countAsNow = countDouble();
    const made = await aDevice(days);
    await made.submit();
    return { ...made, countAsNow };
  }

  test('recounts existing logs, and keeps the counts of deleted ones', async () => {
    const days = { ...logsOf(LEGACY, 90, 88), ...logsOf(RECENT, 60, 1) };
    const { home, submit, outputs, notes, countAsNow } = await sentDouble(days);
    for (let age = 60; age > 30; age -= 1) rmSync(join(home, RECENT, `${age}.jsonl`));
    countAsNow();

    const { submissions } = await submit();

    const lowered = (days: number) => Array<number>(days).fill(10);
    expect(outputs()).toEqual([...lowered(3), ...Array<number>(30).fill(20), ...lowered(30)]);
    expect(submissions[0]?.corrections).toEqual([
      { tool: 'claude-code', from: '2025-12-10', to: '2026-03-09' },
    ]);
    expect(notes).toEqual([
      expect.stringContaining('60 responses of claude-code from 2026-01-09 to 2026-02-07 keep'),
      expect.stringContaining('corrected claude-code, 2025-12-10 to 2026-03-09'),
    ]);
  });

  test.each<[string, (home: string) => void]>([
    ['was deleted', (home) => rmSync(join(home, SECOND), { recursive: true })],
    ['was moved away', (home) => renameSync(join(home, SECOND), join(home, 'old'))],
    ['was truncated', (home) => truncateSync(join(home, SECOND, '10.jsonl'), 0)],
  ])('keeps the counts of a project that %s, even some runs later', async (_, lose) => {
    const days = { ...logsOf(RECENT, 20, 1), [`${SECOND}/10.jsonl`]: 10 };
    const { home, submit, outputs, countAsNow } = await sentDouble(days);
    lose(home);
    await submit();
    await submit();
    countAsNow();

    await submit();

    expect(outputs()).toEqual(Array.from({ length: 20 }, (_, at) => (at === 10 ? 30 : 10)));
  });

  test('does not correct while no logs are found', async () => {
    const { submit, submitWith, outputs, countAsNow } = await sentDouble(logsOf(RECENT, 20, 1));
    countAsNow();

    const elsewhere = await submitWith({ CLAUDE_CONFIG_DIR: '/nonexistent' });
    expect(elsewhere.submissions[0]).toMatchObject({ snapshots: 0, corrections: [] });
    await submit();

    expect(outputs()).toEqual(Array<number>(20).fill(10));
  });
});

describe('submit after logs were deleted', () => {
  test('sends the full total of a day with deleted and new logs', async () => {
    const { home, submit, outputs } = await aDevice(logsOf(RECENT, 1, 1));
    appendFileSync(join(home, RECENT, '2.jsonl'), linesOf('second', 1.01));
    await submit();
    rmSync(join(home, RECENT, '1.jsonl'));
    await submit();
    appendFileSync(join(home, RECENT, '3.jsonl'), linesOf('third', 1.02));

    const { submissions } = await submit();

    expect(submissions[0]).toMatchObject({ snapshots: 1, records: 1 });
    expect(outputs()).toEqual([30]);
  });

  test('sends all days after a month without the board, even if logs were deleted', async () => {
    const { ctx, device, home, notes, submit, outputs } = await aDevice({});
    const offline = aDeviceLike(device, () => Promise.reject(new TypeError('fetch failed')));
    mkdirSync(join(home, RECENT), { recursive: true });
    for (let age = 34; age >= 0; age -= 1) {
      ctx.clock.nowMs = NOW_MS - age * DAY_MS;
      writeFileSync(join(home, RECENT, `${age}.jsonl`), linesOf(`${age}`, age));
      rmSync(join(home, RECENT, `${age + 10}.jsonl`), { force: true });
      await submit(offline);
    }
    ctx.clock.nowMs = NOW_MS;
    const saved = notes.filter((text) => text.startsWith('The counts were saved on this device.'));

    const { submissions } = await submit();

    expect(saved).toHaveLength(35);
    expect(submissions[0]).toMatchObject({ records: 35 });
    expect(outputs()).toEqual(Array<number>(35).fill(10));
  });

  test('sends all days again to a board that was restored from a backup', async () => {
    const { ctx, device, home, submit, outputs } = await aDevice(logsOf(RECENT, 6, 1));
    await submit();
    rmSync(join(home, RECENT), { recursive: true });
    const restored = changing(ctx, '/me', async (answer) => {
      const me = (await answer.json()) as { device: object };
      return Response.json({ ...me, device: { ...me.device, last_submission_at: null } });
    });

    const { submissions } = await submit(aDeviceLike(device, restored));

    expect(submissions[0]).toMatchObject({ records: 6 });
    expect(outputs()).toEqual(Array<number>(6).fill(10));
  });

  test('leaves no logs in sent.json that an earlier version would use for corrections', async () => {
    const { device, submit } = await aDevice(logsOf(RECENT, 2, 1));
    await submit();

    const path = join(device.keystore.folderOf(BASE_URL), 'sent.json');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      rules: { 'claude-code': claudeCode.rules },
      logs: null,
    });
  });

  test('does not say that counts were saved if they were not', async () => {
    const { device, home, notes, submit } = await aDevice(logsOf(RECENT, 1, 1));
    const offline = aDeviceLike(device, () => Promise.reject(new TypeError('fetch failed')));
    mkdirSync(join(home, '.config/opbench/ledger/lock'), { recursive: true });

    await submit(offline);

    expect(notes).toEqual([expect.stringContaining('The ledger was not saved')]);
  });
});
