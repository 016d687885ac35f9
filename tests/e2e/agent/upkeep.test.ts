import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anInstallation, daysAgo, enroll } from '#tests/support/agent/installation.ts';
import { start } from '#tests/support/http/process.ts';
import { runOpbench } from '#tests/support/agent/opbench.ts';
import { sharedServer } from '#tests/support/http/server.ts';
import { timersIn } from '#tests/support/agent/timers.ts';

const COUNTS = { input: 10_000, output: 20_000, cache_write: 5_000, cache_read: 300_000 };

const board = sharedServer();

/** An enrolled device of a new operator, whose programs are all in one folder. */
async function aMachine(codename: string) {
  const server = await board();
  const device = anInstallation();
  device.logDay(daysAgo(1), COUNTS);
  await enroll(device, server.url, await server.signIn(codename));
  const timers = timersIn(device.home, ['crontab']);
  const run = (...args: string[]) => runOpbench(args, { HOME: device.home, PATH: timers.path });
  const state = join(device.home, '.config', 'opbench');
  return { server, device, timers, run, copy: join(state, 'opbench.mjs'), state };
}

describe('the maintenance of a device', () => {
  test.skipIf(process.platform === 'win32')(
    'the line that auto writes submits when cron runs it',
    async () => {
      const { server, timers, run, state } = await aMachine('ada');
      expect(await run('auto', 'on')).toMatchObject({ status: 0 });

      const [, command] = /^(?:\S+ ){5}(.*)\n$/.exec(String(timers.table.read())) ?? [];
      // Cron sets few variables.
      const ended = spawnSync('/bin/sh', ['-c', command ?? ''], { env: { HOME: '/nowhere' } });

      expect(ended.status).toBe(0);
      const [line = '', ...others] = readFileSync(join(state, 'auto.ndjson'), 'utf8')
        .trim()
        .split('\n');
      expect(JSON.parse(line)).toMatchObject({
        exit: 0,
        boards: [{ board: server.url, records: 1 }],
      });
      expect(others).toEqual([]);
      expect(await run('auto', 'status')).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('1 daily count sent'),
      });
      expect(await run('auto', 'off')).toMatchObject({ status: 0 });
      expect(timers.table.read()).toBeNull();
    },
  );

  test("update installs the board's program and repairs it, and doctor finds no problems", async () => {
    const { server, run, copy } = await aMachine('bob');
    rmSync(copy);

    const updated = await run('update', '--json');
    const again = await run('update', '--json');
    writeFileSync(copy, '#!/usr/bin/env node\n// opbench 0.0.1\nthrow new Error();\n');
    const mended = await run('update');
    const kept = await start(process.execPath, [copy, 'doctor', '--json'], {
      HOME: join(copy, '..', '..', '..'),
      PATH: '',
    }).finished;

    expect(JSON.parse(updated.stdout)).toMatchObject({
      board: server.url,
      from: null,
      updated: true,
    });
    expect(JSON.parse(again.stdout)).toMatchObject({ updated: false });
    expect(mended).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('was 0.0.1'),
    });
    const served = await fetch(`${server.url}/opbench.mjs`);
    expect(readFileSync(copy, 'utf8')).toBe(await served.text());
    expect(JSON.parse(kept.stdout)).toMatchObject({
      program: { file: copy },
      boards: [
        { board: server.url, key: 'fine', reachable: true, pending: { snapshots: 0, records: 0 } },
      ],
      findings: [],
    });
    expect(kept.status).toBe(0);
  });
});
