import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DoctorReport } from '#agent/device-reports.ts';
import { keepSetting } from '#agent/auto/switch.ts';
import { generateKeyPair } from '#core/domain/signing/ed25519.ts';
import { Client, type Fetch } from '#agent/board/client.ts';
import type { LocalDevice } from '#agent/device.ts';
import { Keystore } from '#agent/state/keystore.ts';
import { examine } from '#agent/doctor/run-doctor.ts';
import { outboxOf } from '#agent/loop/submit.ts';
import { stateFolder } from '#agent/settings.ts';
import { aDeviceOf, anOutput, fetchFrom, runCommand } from '#tests/support/agent/agent.ts';
import { BASE_URL, MINUTE_MS } from '#tests/support/board/builders.ts';
import { type TestContext, testContext } from '#tests/support/board/context.ts';
import { enrolled } from '#tests/support/agent/enrolled.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { aClaudeLine } from '#tests/support/logs/log-writers.ts';
import { expectMode } from '#tests/support/board/file-mode.ts';

/** A device that keeps its state as the command does, with one day of logs. */
function aMachine(ctx: TestContext) {
  const home = aFolder({ '.claude/projects/p/a.jsonl': `${aClaudeLine()}\n` });
  const environment = { HOME: home, PATH: join(home, 'no-programs') };
  const keystore = new Keystore(stateFolder(environment));
  const nowMs = () => ctx.clock.nowMs;
  const client = new Client(wireOf(ctx), nowMs);
  const device: LocalDevice = { ...aDeviceOf(ctx), environment, keystore, client };
  const state = stateFolder(environment);
  return { device, home, state };
}

/** A board that also sends its time and serves a program. */
function wireOf(ctx: TestContext, { version = '0.0.0', aheadMs = 0 } = {}): Fetch {
  const answers = fetchFrom(ctx);
  const integrity = `sha512-${'A'.repeat(86)}==`;
  return async (url, init) => {
    const date = new Date(ctx.clock.nowMs + aheadMs).toUTCString();
    const { pathname } = new URL(url);
    const release = { name: 'opbench', version, file: { url: '/opbench.mjs', integrity } };
    if (pathname === '/opbench.json') return Response.json(release);
    if (pathname !== '/.well-known/opbench-keys.json') return answers(url, init);
    return Response.json({ keys: [] }, { headers: { date } });
  };
}

async function anEnrolledMachine(ctx: TestContext) {
  const machine = aMachine(ctx);
  return { ...machine, identity: await enrolled(ctx, machine.device) };
}

/** The findings and the exit code. */
async function run(device: LocalDevice, ...args: string[]) {
  const output = anOutput();
  const exitCode = await runCommand(device, 'doctor', ['--json', ...args], output);
  const report = DoctorReport.parse(JSON.parse(output.results.join('')));
  return { exitCode, ...report, texts: report.findings.map(({ text }) => text).join('\n') };
}

describe('doctor', () => {
  test('finds no problems if there are none', async () => {
    const { device, home } = await anEnrolledMachine(testContext());

    const { exitCode, findings, logs, boards } = await run(device);

    expect({ exitCode, findings }).toEqual({ exitCode: 0, findings: [] });
    expect(logs[0]).toMatchObject({
      tool: 'claude-code',
      roots: expect.arrayContaining([
        { path: join(home, '.claude', 'projects'), exists: true },
        { path: join(home, '.config', 'claude', 'projects'), exists: false },
      ]),
      files: 1,
      events: 1,
    });
    expect(boards).toMatchObject([
      {
        board: BASE_URL,
        codename: 'ada',
        key: 'fine',
        reachable: true,
        version: '0.0.0',
        pending: { snapshots: 0, records: 0 },
        // Boards send whole seconds, so half a second is added.
        clock_skew_ms: -500,
      },
    ]);
  });

  test('shows the proxy of a board without its password, and variables without effect', async () => {
    const { device } = await anEnrolledMachine(testContext());
    const { environment } = device;
    const board = 'https://bench.example.org';
    const asking = (variables: Record<string, string>, ...args: string[]) => {
      return run(
        { ...device, environment: { ...environment, ...variables } },
        '--offline',
        ...args,
      );
    };
    const HTTPS_PROXY = 'http://ada:secret@proxy.example.org:3128';

    const proxied = await asking({ HTTPS_PROXY }, '--board', board);
    const excepted = await asking({ HTTPS_PROXY, NO_PROXY: 'example.org' }, '--board', board);
    const plainOnly = await asking({ HTTP_PROXY: HTTPS_PROXY }, '--board', board);
    keepSetting(environment, {
      timer: 'cron',
      node: process.execPath,
      file: process.execPath,
      since: new Date(device.nowMs()).toISOString(),
    });
    const timed = await asking({ HTTPS_PROXY }, '--board', board);

    expect(proxied.boards).toMatchObject([{ proxy: 'http://proxy.example.org:3128' }]);
    expect(proxied.texts).not.toContain('proxy');
    expect(excepted.boards).toMatchObject([{ proxy: null }]);
    expect(plainOnly.boards).toMatchObject([{ proxy: null }]);
    expect(plainOnly.texts).toContain('HTTP_PROXY is set, but HTTPS_PROXY is not');
    expect(timed.texts).toContain('The timer uses other proxy variables than this shell');
    expect(JSON.stringify([proxied, timed])).not.toContain('secret');
  });

  test('contacts no board with --offline', async () => {
    const { device } = await anEnrolledMachine(testContext());
    const silent = new Client(() => Promise.reject(new Error('Nothing is sent')), device.nowMs);

    expect(await run({ ...device, client: silent }, '--offline')).toMatchObject({
      exitCode: 0,
      boards: [{ board: BASE_URL, key: null, reachable: null, clock_skew_ms: null }],
      findings: [],
    });
  });

  test('only warns if there are no logs and no enrollment', async () => {
    const { device } = aMachine(testContext());
    const environment = { HOME: aFolder() };
    const keystore = new Keystore(stateFolder(environment));

    const { exitCode, findings } = await run({ ...device, environment, keystore });

    expect(exitCode).toBe(0);
    expect(findings).toMatchObject([
      { severity: 'warning', text: 'No logs were found on this device' },
      { severity: 'warning', text: 'This device is not enrolled on any board' },
    ]);
    expect(existsSync(stateFolder(environment))).toBe(false);
  });

  test('lists logs that it cannot read or parse', async () => {
    const { device, home } = aMachine(testContext());
    const broken = `${aClaudeLine({ id: 'b', input: -1 })}\n{"usage":\n`;
    writeFileSync(join(home, '.claude', 'projects', 'p', 'b.jsonl'), broken);
    symlinkSync(home, join(home, '.codex'));
    writeFileSync(join(home, 'sessions'), 'a file where a folder should be');

    const { exitCode, findings, logs, texts } = await run(device);

    expect(exitCode).toBe(1);
    expect(logs[0]).toMatchObject({ skipped_lines: 1, skipped: { count: 1 } });
    expect(findings[0]).toMatchObject({ severity: 'problem', exit: 1 });
    expect(texts).toContain(`codex is not counted: ${join(home, '.codex')}`);
    expect(texts).toContain('1 line of claude-code could not be counted');
  });

  test.runIf(process.platform !== 'win32')('finds keys that others could read', async () => {
    const { device, state, identity } = await anEnrolledMachine(testContext());
    const key = join(device.keystore.folderOf(identity.board), 'identity.json');
    chmodSync(key, 0o644);
    chmodSync(state, 0o777);

    const { exitCode, texts } = await run(device, '--offline');

    expect(exitCode).toBe(1);
    expect(texts).toContain(`${key} (mode 644)`);
    expect(texts).toContain(`${state} (mode 777)`);
    expectMode(key, 0o600);
  });

  test('ignores damaged lines in the log of runs', async () => {
    const { device, state } = await anEnrolledMachine(testContext());
    const line = { at: '2026-03-10T12:00:00.000Z', duration_ms: 1, version: '0.6.0', exit: 0 };
    const whole = { ...line, skipped: false, message: null, boards: [] };
    const lines = [whole, { ...whole, exit: 1.5 }, { ...whole, at: 'x' }, { ...whole, boards: {} }];
    const damaged = `${lines.map((one) => JSON.stringify(one)).join('\n')}\n{"at":`;
    writeFileSync(join(state, 'auto.ndjson'), damaged, { mode: 0o600 });

    const { auto } = await run(device, '--offline');
    expect(auto).toMatchObject({ last_run: line, last_good_at: line.at });
  });

  test('finds a damaged key, unfinished enrollments and pending envelopes', async () => {
    const { device, identity, state } = await anEnrolledMachine(testContext());
    const boards = join(state, 'boards');
    for (const name of ['damaged.test-01234567', 'begun.test-01234567'])
      mkdirSync(join(boards, name));
    writeFileSync(join(boards, 'damaged.test-01234567', 'identity.json'), '{');
    writeFileSync(join(boards, 'begun.test-01234567', 'pending-key.json'), '{}', { mode: 0o600 });
    chmodSync(join(boards, 'damaged.test-01234567', 'identity.json'), 0o600);
    await device.keystore.pendingKey('https://later.test', generateKeyPair);
    await device.keystore.pendingKey(BASE_URL, generateKeyPair);
    outboxOf(device, identity).add('01', '{}');

    const { exitCode, texts, findings, boards: reports } = await run(device, '--offline');

    expect(exitCode).toBe(1);
    expect(texts).toContain(`${join(boards, 'damaged.test-01234567', 'identity.json')} is damaged`);
    expect(texts).toContain('An enrollment on begun.test is unfinished');
    const later = 'An enrollment on https://later.test is unfinished';
    expect(findings).toContainEqual(
      expect.objectContaining({
        text: later,
        advice: expect.stringContaining('opbench logout --local --board https://later.test'),
      }),
    );
    expect(findings).toContainEqual(
      expect.objectContaining({
        text: `An enrollment on ${BASE_URL} is unfinished`,
        advice: expect.not.stringContaining('logout'),
      }),
    );
    expect(texts).toContain(`${BASE_URL} has not answered 1 snapshot`);
    expect(reports).toMatchObject([{ pending: { snapshots: 1, records: 0 } }]);
  });

  test('finds a key that was revoked', async () => {
    const ctx = testContext();
    const { device, identity } = await anEnrolledMachine(ctx);
    ctx.store.devices.revokeKey(identity.keyid, 'revoked', ctx.now().toISOString());

    expect(await run(device)).toMatchObject({
      exitCode: 3,
      boards: [{ key: 'revoked' }],
      findings: [
        {
          exit: 3,
          advice: expect.stringMatching(/enroll CODE.*same device.*replaced it.*add --new/),
        },
      ],
    });
  });

  test('finds a key that the board does not know', async () => {
    const { device } = await anEnrolledMachine(testContext());
    const other = new Client(wireOf(testContext()), device.nowMs);

    expect(await run({ ...device, client: other })).toMatchObject({
      exitCode: 3,
      boards: [{ key: 'unknown' }],
    });
  });

  test('finds a board that cannot be reached, and an address without a board', async () => {
    const { device } = await anEnrolledMachine(testContext());
    const dead = new Client(() => Promise.reject(new TypeError('no route')), device.nowMs);
    const html = new Client(() => Promise.resolve(new Response('<html>')), device.nowMs);

    expect(await run({ ...device, client: dead })).toMatchObject({
      exitCode: 4,
      boards: [{ reachable: false, key: null }],
      texts: expect.stringContaining(`${BASE_URL} cannot be reached: no route`),
    });
    expect(await run({ ...device, client: html })).toMatchObject({
      exitCode: 4,
      texts: expect.stringContaining('did not answer like an Opbench board'),
    });
  });

  test.each([
    [30_000, 'warning', 0, "this device's clock is 31 seconds behind the board's"],
    [-60 * MINUTE_MS, 'problem', 1, "this device's clock is 60 minutes ahead of the board's"],
    [120 * MINUTE_MS, 'problem', 1, "this device's clock is 2 hours behind the board's"],
  ])('finds a clock that differs by %i ms', async (aheadMs, severity, exitCode, text) => {
    const ctx = testContext();
    const { device } = await anEnrolledMachine(ctx);
    const client = new Client(wireOf(ctx, { aheadMs }), device.nowMs);

    const found = await run({ ...device, client });

    expect(found.exitCode).toBe(exitCode);
    expect(found.findings).toMatchObject([{ severity, text: `${BASE_URL}: ${text}` }]);
    expect(found.boards).toMatchObject([{ clock_skew_ms: -aheadMs - 500 }]);
  });

  test('says that the board serves a newer program', async () => {
    const ctx = testContext();
    const { device } = await anEnrolledMachine(ctx);
    const client = new Client(wireOf(ctx, { version: '9.0.0' }), device.nowMs);

    expect(await run({ ...device, client })).toMatchObject({
      exitCode: 0,
      boards: [{ version: '9.0.0' }],
      findings: [{ severity: 'warning', advice: 'Run: opbench update' }],
    });
  });

  test('checks only the named board, with or without enrollment', async () => {
    const { device } = await anEnrolledMachine(testContext());

    expect(await run(device, '--board', 'https://other.test', '--offline')).toMatchObject({
      boards: [{ board: 'https://other.test', codename: null }],
    });
  });

  test('finds a timer without a program, and a timer without a board', async () => {
    const ctx = testContext();
    const { device } = aMachine(ctx);
    const since = ctx.now().toISOString();
    const node = process.execPath;
    keepSetting(device.environment, { timer: 'cron', node, file: '/gone.mjs', since });

    const { exitCode, texts, auto } = await run(device);

    expect(exitCode).toBe(1);
    expect(auto).toMatchObject({ state: 'on', timer: 'cron', file: '/gone.mjs' });
    expect(texts).toContain('The timer runs /gone.mjs, which does not exist');
    expect(texts).toContain('The cron timer no longer exists');
    expect(texts).toContain('The timer is on, but this device is not enrolled');
  });

  test('prints lines of at most 80 columns, except for paths', async () => {
    const ctx = testContext();
    const { device, home } = await anEnrolledMachine(ctx);
    const client = new Client(
      wireOf(ctx, { version: '9.0.0', aheadMs: MINUTE_MS * 60 }),
      device.nowMs,
    );
    const output = anOutput();

    await runCommand({ ...device, client }, 'doctor', [], output);

    const text = output.results.join('\n');
    expect(text).toMatch(/^1 problem, 1 warning$/m);
    expect(text).toContain(`${join(home, '.codex', 'sessions')} (does not exist)`);
    for (const line of text.split('\n')) {
      if (!line.includes(home)) expect(line.length).toBeLessThanOrEqual(80);
    }
  });

  test('makes control characters from a board harmless', async () => {
    const { device, identity } = await anEnrolledMachine(testContext());
    device.keystore.save({ ...identity, board_name: '\u001B[2Jname' });

    const { findings } = await examine(device, { offline: true });
    const output = anOutput();
    await runCommand(device, 'doctor', ['--offline'], output);

    expect(findings).toEqual([]);
    expect(output.results.join('')).toContain('([2Jname)');
  });
});
