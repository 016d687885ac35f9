import { existsSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { turnOff, turnOn } from '#agent/auto/switch.ts';
import { deviceAt } from '#agent/device-at.ts';
import { installedFile } from '#agent/state/copy.ts';
import { aMachine, runAuto } from '#tests/support/agent/timed-machine.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { taskFaults, textsOf } from '#tests/support/pages/xml.ts';

const TASK = `opbench-${userInfo().username}`;

/** A device with the stand-in for schtasks, in a folder with special characters that Windows allows. */
function aWindows(folder = `a 'b 50% $HOME & é`) {
  const machine = aMachine(['schtasks'], { folder });
  const variables = join(machine.state, 'auto-variables.json');
  const task = () =>
    machine.timers.task
      .read()
      ?.toString('utf16le')
      .replace(/^\uFEFF/, '') ?? '';
  return { ...machine, variables, task };
}

describe.skipIf(process.platform === 'win32')('auto on, with the Task Scheduler', () => {
  test('registers a task in UTF-16 that follows the schema', async () => {
    const { device, timers, state, task } = aWindows();

    const { exitCode, results } = await runAuto(device, 'on', '--json');

    expect(exitCode).toBe(0);
    expect(JSON.parse(results)).toMatchObject({ timer: 'task-scheduler', findings: [] });
    const create = `/Create /TN ${TASK} /XML ${join(state, 'auto-task.xml')} /F /HRESULT`;
    expect(timers.calls('schtasks')).toContain(create);
    expect(timers.task.read()?.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xfe]));
    expect(task()).toMatch(/^<\?xml version="1.0" encoding="UTF-16"\?>/);
    expect(await taskFaults(task().replace(' encoding="UTF-16"', ''))).toEqual([]);
    expect(existsSync(join(state, 'auto-task.xml'))).toBe(false);
  });

  test('runs the saved copy without a window, also on battery and after a missed time', () => {
    const { device, task } = aWindows();

    turnOn(device, 'win32');

    const program = installedFile(device.environment);
    expect(textsOf(task(), 'Command')).toEqual([String.raw`%SystemRoot%\System32\conhost.exe`]);
    expect(textsOf(task(), 'Arguments')).toEqual([
      `--headless "${process.execPath}" "${program}" auto run`,
    ]);
    expect(textsOf(task(), 'StartWhenAvailable')).toEqual(['true']);
    expect(textsOf(task(), 'DisallowStartIfOnBatteries')).toEqual(['false']);
    const starts = textsOf(task(), 'StartBoundary').map((start) => start.slice(10));
    const hours = starts.map((start) => Number(start.slice(1, 3)));
    const [first = Number.NaN] = hours;
    expect(hours).toEqual([first, first + 6, first + 12, first + 18]);
    expect(starts[0]).toMatch(/^T0[0-5]:[0-5]\d:00$/);
  });

  test('gives the program the variables that a task cannot have', () => {
    const { device, variables } = aWindows();
    const environment = { ...device.environment, CODEX_HOME: String.raw`C:\new\codex` };
    turnOn({ ...device, environment }, 'win32');

    const file = installedFile(device.environment);
    const bare = { HOME: aFolder() };
    const started = deviceAt({ ...device, environment: bare, file }, { starter: 'timer' });
    const typed = deviceAt({ ...device, environment: bare, file });

    expect(started.environment).toMatchObject({
      OPBENCH_HOME: device.environment.OPBENCH_HOME,
      CODEX_HOME: String.raw`C:\new\codex`,
    });
    expect(typed.environment).toEqual(bare);
    turnOff(device);
    expect(existsSync(variables)).toBe(false);
  });

  test('replaces its own task, and off removes it', () => {
    const { device, timers } = aWindows();
    turnOn(device, 'win32');

    turnOn(device, 'win32');
    expect(turnOff(device)).toBe(true);

    expect(timers.task.read()).toBeNull();
    expect(turnOff(device)).toBe(false);
  });

  test('leaves nothing behind if Windows refuses the task', () => {
    const { device, timers, variables, state } = aWindows();
    timers.fail('schtasks', 'ERROR: Access is denied.', '/Create');

    expect(() => turnOn(device, 'win32')).toThrow(
      expect.objectContaining({
        exitCode: 1,
        message: 'Task Scheduler rejected the change: ERROR: Access is denied.',
      }),
    );
    const left = [variables, join(state, 'auto.json'), join(state, 'auto-task.xml')];
    expect(left.filter((path) => existsSync(path))).toEqual([]);
  });

  test.each([`50%PATH%`, '$(Arg0)', 'a"b'])(
    'refuses the folder %s, which a task cannot run',
    (folder) => {
      const { device, timers } = aWindows(folder);

      expect(() => turnOn(device, 'win32')).toThrow('cannot run a path with %NAME%');
      expect(timers.task.read()).toBeNull();
    },
  );

  test('does not touch a task of the same name that is not ours', () => {
    const { device, timers } = aWindows();
    timers.task.write('<Task/>');

    expect(() => turnOn(device, 'win32')).toThrow(`a task ${TASK} that was not created by`);
    turnOff(device);

    expect(String(timers.task.read())).toBe('<Task/>');
  });

  test('status says that the task was disabled or deleted', async () => {
    const { device, timers, task } = aWindows();
    turnOn(device, 'win32');
    timers.task.write(task().replace('<Settings>', '<Settings><Enabled>false</Enabled>'));
    const disabled = await runAuto(device, 'status');
    timers.fail('schtasks', 'ERROR: The service is not running.');
    const unknown = await runAuto(device, 'status');
    timers.mend('schtasks');
    turnOff(device);
    writeFileSync(join(device.environment.OPBENCH_HOME ?? '', 'auto.json'), SETTING);
    const deleted = await runAuto(device, 'status');

    expect(disabled).toMatchObject({
      exitCode: 5,
      results: expect.stringContaining('Task Scheduler does not run it'),
    });
    expect(unknown).toMatchObject({ exitCode: 0 });
    expect(deleted).toMatchObject({
      exitCode: 5,
      results: expect.stringContaining('The Task Scheduler timer no longer exists'),
    });
  });

  test('says what to do if the Task Scheduler does not answer', () => {
    const { device, timers, state } = aWindows();
    timers.fail('schtasks', 'ERROR: The service is not running.');

    expect(() => turnOn(device, 'win32')).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('schtasks /create /tn opbench') }),
    );
    expect(existsSync(join(state, 'auto.json'))).toBe(false);
  });
});

const SETTING = JSON.stringify({
  timer: 'task-scheduler',
  node: process.execPath,
  file: process.execPath,
  since: '2026-03-02T12:00:00.000Z',
});
