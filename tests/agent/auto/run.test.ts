import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { autoHealth, runLogPath } from '#agent/auto/health.ts';
import { runOnce } from '#agent/auto/run.ts';
import { keepSetting } from '#agent/auto/switch.ts';
import { Client, type Fetch } from '#agent/board/client.ts';
import { Keystore } from '#agent/state/keystore.ts';
import { takeLock } from '#agent/state/lock.ts';
import { stateFolder } from '#agent/settings.ts';
import { aDeviceOf, anOutput, fetchFrom, runCommand } from '#tests/support/agent/agent.ts';
import { BASE_URL, DAY_MS, MINUTE_MS } from '#tests/support/board/builders.ts';
import { type TestContext, query, testContext } from '#tests/support/board/context.ts';
import { enrolled } from '#tests/support/agent/enrolled.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { aClaudeLine } from '#tests/support/logs/log-writers.ts';

const DEAD = 'http://127.0.0.1:1';

/** A device with one day of logs, which keeps its state as the command does. */
async function aMachine(ctx: TestContext, { isEnrolled = true } = {}) {
  const home = aFolder({ '.claude/projects/p/a.jsonl': `${aClaudeLine()}\n` });
  const environment = { HOME: home, PATH: join(home, 'no-programs') };
  const device = {
    ...aDeviceOf(ctx),
    environment,
    keystore: new Keystore(stateFolder(environment)),
  };
  if (!isEnrolled) return device;
  await enrolled(ctx, device);
  return device;
}

type Machine = Awaited<ReturnType<typeof aMachine>>;

function logged({ environment }: Machine): object[] {
  const lines = readFileSync(runLogPath(environment), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as object);
}

function setSince(device: Machine, since: number, over: object = {}): void {
  keepSetting(device.environment, {
    timer: 'cron',
    node: process.execPath,
    file: process.execPath,
    since: new Date(since).toISOString(),
    ...over,
  });
}

describe('auto run', () => {
  test('submits, and logs one line for each run', async () => {
    const ctx = testContext();
    const device = await aMachine(ctx);

    const exitCode = await runCommand(device, 'auto', ['run'], anOutput());
    await runOnce(device);

    expect(exitCode).toBe(0);
    expect(query(ctx, 'SELECT 1 FROM buckets')).toHaveLength(1);
    expect(logged(device)).toMatchObject([
      {
        at: ctx.now().toISOString(),
        exit: 0,
        skipped: false,
        boards: [{ board: BASE_URL, records: 1 }],
      },
      { exit: 0, boards: [{ board: BASE_URL, records: 0, code: null }] },
    ]);
  });

  test('exits with the code of its boards, and logs it', async () => {
    const ctx = testContext();
    const device = await aMachine(ctx);
    const [identity] = device.keystore.identities().sound;
    if (identity) device.keystore.save({ ...identity, board: DEAD });

    const half = { ...device, client: new Client(halfDead(ctx), device.nowMs) };

    expect(await runOnce(half)).toMatchObject({ exit: 5 });
    expect(logged(device)).toMatchObject([
      {
        exit: 5,
        boards: [
          { board: BASE_URL, exit: 0, records: 1 },
          {
            board: DEAD,
            exit: 4,
            records: 0,
            message: expect.stringContaining('cannot be reached'),
          },
        ],
      },
    ]);
  });

  test('logs why a run failed before it started', async () => {
    const device = await aMachine(testContext(), { isEnrolled: false });
    const run = { exit: 2, message: expect.stringContaining('not enrolled'), boards: [] };

    expect(await runOnce(device)).toMatchObject(run);
    expect(logged(device)).toMatchObject([run]);
  });

  test('does nothing while another run is in progress', async () => {
    const ctx = testContext();
    const device = await aMachine(ctx);
    const release = takeLock(join(stateFolder(device.environment), 'auto.lock'));

    expect(await runOnce(device)).toMatchObject({ exit: 0, skipped: true, boards: [] });
    release?.();
    expect(await runOnce(device)).toMatchObject({ skipped: false, boards: [{ records: 1 }] });
    expect(logged(device)).toHaveLength(2);
  });

  test('keeps the newest 500 lines, including unreadable ones', async () => {
    const device = await aMachine(testContext(), { isEnrolled: false });
    const path = runLogPath(device.environment);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, Array.from({ length: 600 }, (_, run) => `{"run":${run}}\n`).join(''));
    appendFileSync(path, '{"torn');

    await runOnce(device);

    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(500);
    expect(lines[0]).toBe('{"run":102}');
    expect(lines.at(-2)).toBe('{"torn');
    expect(autoHealth(device).last).toMatchObject({ exit: 2 });
  });
});

describe('the health of the timer', () => {
  test('is fine for 24 hours after a successful run', async () => {
    const ctx = testContext();
    const device = await aMachine(ctx);
    setSince(device, ctx.clock.nowMs - 30 * DAY_MS);
    await runOnce(device);

    ctx.clock.nowMs += DAY_MS;
    expect(autoHealth(device).findings).toEqual([]);
    ctx.clock.nowMs += MINUTE_MS;
    expect(autoHealth(device).findings).toMatchObject([
      {
        severity: 'problem',
        text: 'The timer has not run for 25 hours',
        advice: expect.stringContaining('opbench auto run'),
      },
    ]);
  });

  test('counts from when it was turned on if it never ran', async () => {
    const ctx = testContext();
    const device = await aMachine(ctx);
    setSince(device, ctx.clock.nowMs - DAY_MS - 1);

    expect(autoHealth(device).findings).toMatchObject([{ severity: 'problem' }]);
  });

  test('is not fine after a run that did nothing or failed', async () => {
    const ctx = testContext();
    const device = await aMachine(ctx);
    setSince(device, ctx.clock.nowMs);
    ctx.clock.nowMs += DAY_MS;
    const release = takeLock(join(stateFolder(device.environment), 'auto.lock'));
    await runOnce(device);
    release?.();
    await runOnce({ ...device, client: new Client(halfDead(ctx, BASE_URL), device.nowMs) });

    expect(autoHealth(device).findings).toMatchObject([
      { severity: 'warning', text: expect.stringContaining('cannot be reached') },
    ]);
    ctx.clock.nowMs += MINUTE_MS;
    expect(autoHealth(device).findings).toMatchObject([
      {
        severity: 'problem',
        text: expect.stringMatching(/has not run successfully for 25 hours: .*cannot be reached/),
      },
    ]);
    // The advised command fixes it.
    await runCommand(device, 'auto', ['run'], anOutput());
    expect(autoHealth(device).findings).toEqual([]);
  });

  test('names a missing Node.js, a missing program and a missing timer', async () => {
    const ctx = testContext();
    const device = await aMachine(ctx);
    setSince(device, ctx.clock.nowMs, { node: '/gone/node', file: '/gone/opbench.mjs' });
    const output = anOutput();

    expect(await runCommand(device, 'auto', ['status', '--json'], output)).toBe(5);
    expect(JSON.parse(output.results[0] ?? '')).toMatchObject({
      state: 'on',
      findings: [
        { text: expect.stringContaining('/gone/node') },
        { text: expect.stringContaining('/gone/opbench.mjs') },
        { text: expect.stringContaining('cron'), advice: expect.stringContaining('auto on') },
      ],
    });
  });

  test('is reported by status too', async () => {
    const ctx = testContext();
    const device = await aMachine(ctx);
    setSince(device, ctx.clock.nowMs - 2 * DAY_MS);
    const output = anOutput();

    expect(await runCommand(device, 'status', [], output)).toBe(0);
    expect(output.notes.join('\n')).toContain('The timer has not run for 48 hours');
  });
});

/** A network on which one board cannot be reached. */
function halfDead(ctx: TestContext, board = DEAD): Fetch {
  const whole = fetchFrom(ctx);
  return (url, init) =>
    url.startsWith(board) ? Promise.reject(new TypeError('no route')) : whole(url, init);
}
