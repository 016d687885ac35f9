/** What the ledger adopts on a device with an earlier version. */
import { appendFileSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { submitAll } from '#agent/loop/submit-all.ts';
import { claudeCode } from '#core/readers/claude-code.ts';
import { BASE_URL, DAY_MS, NOW_MS } from '#tests/support/board/builders.ts';
import { changing } from '#tests/support/agent/agent.ts';
import { query, testContext } from '#tests/support/board/context.ts';
import { anEnrolledDevice } from '#tests/support/agent/enrolled.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { aClaudeLine } from '#tests/support/logs/log-writers.ts';
import { aDeviceLike } from '#tests/support/agent/wires.ts';

const PROJECT = '.claude/projects/p';
const LOG_START_MS = Date.UTC(2026, 2, 2);

/** A response with five output tokens, a number of days ago. */
function line(id: string, age: number): string {
  return `${aClaudeLine({ id, at: NOW_MS - age * DAY_MS - LOG_START_MS, output: 5 })}\n`;
}

/** Stores the sent counts like version 0.9: in one file, with the counted logs. */
interface Sent {
  buckets: Record<string, number[]>;
  rules: Record<string, number>;
  received_at: string;
}

/** A device without a ledger that sent one day for each log, with two responses each. */
async function upgraded() {
  const files = [4, 3, 2, 1].map((age) => [
    `${PROJECT}/${age}.jsonl`,
    line(`a${age}`, age) + line(`b${age}`, age),
  ]);
  const home = aFolder(Object.fromEntries(files) as Record<string, string>);
  for (const age of [4, 3, 2, 1]) {
    const at = (NOW_MS - age * DAY_MS) / 1000;
    utimesSync(join(home, PROJECT, `${age}.jsonl`), at, at);
  }
  const ctx = testContext();
  const { device } = await anEnrolledDevice(ctx, 'ada', { home });
  const folder = device.keystore.folderOf(BASE_URL);
  const submit = async (by = device) => {
    return (await submitAll(by, { board: BASE_URL, standing: false })).report;
  };
  const outputs = () => {
    const sql = 'SELECT output FROM buckets WHERE counts = 1 ORDER BY day';
    return (query(ctx, sql) as { output: number }[]).map(({ output }) => output);
  };
  const forget = () => {
    rmSync(join(home, '.config/opbench/ledger'), { recursive: true });
    rmSync(join(home, '.cache'), { recursive: true });
  };
  await submit();
  forget();
  const changeSent = (change: (sent: Sent) => object) => {
    const path = join(folder, 'sent.json');
    const sent = JSON.parse(readFileSync(path, 'utf8')) as Sent;
    writeFileSync(path, JSON.stringify({ ...sent, ...change(sent) }));
  };
  const log = (age: number) => join(home, PROJECT, `${age}.jsonl`);
  return { ctx, device, folder, forget, log, submit, outputs, changeSent };
}

describe('the first submit after an upgrade', () => {
  test('adds nothing while the logs contain all sent counts', async () => {
    const { submit, outputs } = await upgraded();

    const { notes, submissions } = await submit();

    expect(notes).toEqual([]);
    expect(submissions[0]?.records).toBe(0);
    expect(outputs()).toEqual([10, 10, 10, 10]);
  });

  test('adopts counts that are no longer in the logs, once', async () => {
    const { changeSent, log, submit, outputs } = await upgraded();
    changeSent(() => ({ received_at: new Date(NOW_MS - 0.9 * DAY_MS).toISOString() }));
    rmSync(log(4));
    writeFileSync(log(1), line('b1', 1));
    const first = await submit();
    appendFileSync(log(1), line('c1', 0.8) + line('d1', 0.7));

    const second = await submit();

    expect(first.notes[0]).toContain(`2 daily counts from 2026-03-06 to 2026-03-09 on ${BASE_URL}`);
    expect(second.notes.join()).not.toContain('daily count');
    expect(outputs()).toEqual([10, 10, 10, 20]);
  });

  test('counts no response twice whose clock was ahead of the submission', async () => {
    const { changeSent, folder, log, submit, outputs } = await upgraded();
    const before = new Date(NOW_MS - 1.5 * DAY_MS);
    changeSent(() => ({ received_at: before.toISOString() }));
    const own = new Date(NOW_MS - DAY_MS / 2);
    utimesSync(join(folder, 'receipts.ndjson'), own, own);
    appendFileSync(log(1), line('c1', 0.4));

    await submit();

    expect(outputs()).toEqual([10, 10, 10, 10, 5]);
  });

  test('adopts counts that were signed but never confirmed', async () => {
    const { ctx, device, forget, log, submit, outputs } = await upgraded();
    appendFileSync(log(1), line('c1', 0.2));
    const unheard = changing(ctx, '/snapshots', () => Promise.reject(new TypeError('no answer')));
    await submit(aDeviceLike(device, unheard));
    forget();
    rmSync(log(1));
    writeFileSync(log(2), line('b2', 2) + line('a2', 2) + line('d1', -0.1));

    await submit();

    expect(outputs()).toEqual([10, 10, 10, 10, 10]);
  });

  test('leaves complete days to the correction for new rules, and keeps the others', async () => {
    const { changeSent, log, submit } = await upgraded();
    rmSync(log(3));
    changeSent(({ buckets }) => ({
      buckets: Object.fromEntries(Object.keys(buckets).map((key) => [key, [9, 50, 9, 9]])),
      rules: { 'claude-code': claudeCode.rules - 1 },
      logs: { 'claude-code': { gone_to: null, logs: { gone: ['2026-03-07', 1] } } },
    }));

    const { notes, submissions } = await submit();

    expect(notes[0]).toContain('2 daily counts from 2026-03-06 to 2026-03-07');
    expect(submissions[0]?.corrections).toEqual([
      { tool: 'claude-code', from: '2026-03-08', to: '2026-03-09' },
    ]);
  });

  test('keeps all days if it is unknown which logs were counted', async () => {
    const { changeSent, submit, outputs } = await upgraded();
    changeSent(({ buckets }) => ({
      buckets: Object.fromEntries(Object.keys(buckets).map((key) => [key, [9, 50, 9, 9]])),
      rules: { 'claude-code': claudeCode.rules - 1 },
    }));

    const { submissions } = await submit();

    expect(submissions[0]?.corrections).toEqual([]);
    expect(outputs()).toEqual([10, 10, 10, 10]);
  });
});
