/** Installs the timer of this system for real. Only on a machine that allows it, such as those of the CI matrix. */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { turnOff, turnOn } from '#agent/auto/switch.ts';
import { installedFile } from '#agent/state/copy.ts';
import { aMachine, runAuto } from '#tests/support/agent/timed-machine.ts';
import { eventually } from '#tests/support/http/server.ts';

const IS_ALLOWED = process.env['OPBENCH_TEST_TIMERS'] === 'yes';

/** Writes a file next to itself, since a task of Windows has no variables. */
const PROGRAM = `#!/usr/bin/env node
// opbench 0.0.0
import { writeFileSync } from 'node:fs';
writeFileSync(new URL('ran', import.meta.url), process.argv.slice(2).join(' '));
`;

const EXPECTED: Readonly<Partial<Record<typeof process.platform, readonly string[]>>> = {
  darwin: ['launchd'],
  win32: ['task-scheduler'],
};

/** Starts the job now. A launchd agent starts by itself, and cron cannot be asked. */
const STARTS: Readonly<Record<string, readonly string[]>> = {
  systemd: ['systemctl', '--user', 'start', 'opbench.service'],
  'task-scheduler': ['schtasks', '/Run', '/TN', `opbench-${userInfo().username}`],
};

test.runIf(IS_ALLOWED)('the system runs the timer, and forgets it', async () => {
  const { device: stand, home, state } = aMachine([], { folder: `a 'b 50% é` });
  const environment = { ...process.env, OPBENCH_HOME: state };
  const file = join(home, 'opbench.mjs');
  writeFileSync(file, PROGRAM);
  const device = { ...stand, environment, file };
  onTestFinished(() => void turnOff(device));

  const { timer } = turnOn(device, process.platform);
  expect(EXPECTED[process.platform] ?? ['systemd', 'cron']).toContain(timer);
  const on = await runAuto(device, 'status', '--json');
  expect(JSON.parse(on.results)).toMatchObject({ state: 'on', findings: [] });

  const [program, ...words] = STARTS[timer] ?? [];
  if (program) expect(spawnSync(program, words, { encoding: 'utf8' })).toMatchObject({ status: 0 });
  const ran = join(dirname(installedFile(environment)), 'ran');
  const hasRun = await eventually(
    () => Promise.resolve(timer === 'cron' || existsSync(ran)),
    Boolean,
  );
  expect(hasRun).toBe(true);

  expect(turnOff(device)).toBe(true);
  expect(turnOff(device)).toBe(false);
});
