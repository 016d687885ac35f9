import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { turnOff, turnOn } from '#agent/auto/switch.ts';
import { installedFile } from '#agent/state/copy.ts';
import { aMachine, runAuto } from '#tests/support/agent/timed-machine.ts';
import { launchAgentFaults, textsOf } from '#tests/support/pages/xml.ts';

const DOMAIN = `gui/${process.getuid?.()}`;

/** A Mac with special characters in its paths. */
function aMac(programs: Parameters<typeof aMachine>[0] = ['launchctl', 'crontab']) {
  const machine = aMachine(programs);
  const plist = join(machine.home, 'Library', 'LaunchAgents', 'opbench.auto.plist');
  return { ...machine, plist };
}

/** The loaded job, as the stand-in for launchctl notes it. */
const loadedIn = (home: string) => join(home, 'bin', 'loaded');

describe.skipIf(process.platform === 'win32')('auto on, with launchd', () => {
  test('writes an agent with the keys and types of launchd, and loads it', async () => {
    const { device, timers, home, plist } = aMac();

    const { exitCode, results } = await runAuto(device, 'on', '--json');

    expect(exitCode).toBe(0);
    expect(JSON.parse(results)).toMatchObject({ state: 'on', timer: 'launchd', findings: [] });
    expect(timers.calls('launchctl')).toContain(`bootstrap ${DOMAIN} ${plist}`);
    expect(existsSync(loadedIn(home))).toBe(true);
    expect(timers.table.read()).toBeNull();
    const xml = readFileSync(plist, 'utf8');
    expect(await launchAgentFaults(xml)).toEqual([]);
    if (process.platform === 'darwin') {
      expect(spawnSync('plutil', ['-lint', plist], { encoding: 'utf8' })).toMatchObject({
        status: 0,
      });
    }
  });

  test('runs the saved copy with its variables, four times a day and at sign-in', () => {
    const { device, plist, state } = aMac();

    turnOn(device, 'darwin');

    const xml = readFileSync(plist, 'utf8');
    const program = installedFile(device.environment);
    const arguments_ = [process.execPath, program, 'auto', 'run'];
    expect(textsOf(xml, 'string')).toEqual([
      'opbench.auto',
      ...arguments_,
      state,
      expect.any(String),
      'Background',
    ]);
    expect(xml).toContain('<key>OPBENCH_HOME</key>');
    expect(xml).toMatch(/<key>RunAtLoad<\/key>\s*<true\/>/);
    const hours = textsOf(xml, 'integer')
      .slice(0, 8)
      .filter((_, at) => at % 2 === 0)
      .map(Number);
    const [first = Number.NaN] = hours;
    expect(first).toBeLessThan(6);
    expect(hours).toEqual([first, first + 6, first + 12, first + 18]);
  });

  test('replaces its own agent, and off removes it', () => {
    const { device, home, plist } = aMac();
    turnOn(device, 'darwin');

    expect(turnOn(device, 'darwin').timer).toBe('launchd');
    expect(turnOff(device)).toBe(true);

    expect([plist, loadedIn(home)].map((path) => existsSync(path))).toEqual([false, false]);
    expect(turnOff(device)).toBe(false);
  });

  test('falls back to the command of earlier systems', () => {
    const { device, timers, home } = aMac();
    timers.fail('launchctl', 'Unrecognized subcommand', 'bootstrap');

    expect(turnOn(device, 'darwin').timer).toBe('launchd');
    expect(timers.calls('launchctl').some((call) => call.startsWith('load -w '))).toBe(true);
    expect(existsSync(loadedIn(home))).toBe(true);
  });

  test('leaves nothing behind if launchd rejects the agent, and says what to do', () => {
    const { device, timers, plist, state } = aMac();
    timers.fail('launchctl', 'Domain does not support it', 'bootstrap', 'load');

    expect(() => turnOn(device, 'darwin')).toThrow(
      expect.objectContaining({
        exitCode: 1,
        message: expect.stringContaining('Domain does not support it'),
        hint: expect.stringContaining('Sign in at the screen'),
      }),
    );
    expect([plist, join(state, 'auto.json')].map((path) => existsSync(path))).toEqual([
      false,
      false,
    ]);
  });

  test('does not touch an agent of the same name that is not ours', () => {
    const { device, plist } = aMac();
    mkdirSync(dirname(plist), { recursive: true });
    writeFileSync(plist, '<plist/>');

    expect(() => turnOn(device, 'darwin')).toThrow('was not created by "opbench auto on"');
    turnOff(device);

    expect(readFileSync(plist, 'utf8')).toBe('<plist/>');
  });

  test.each([
    [
      'was deleted',
      'no longer exists',
      ({ plist, home }: ReturnType<typeof aMac>) => {
        rmSync(plist);
        rmSync(loadedIn(home));
      },
    ],
    [
      'is not loaded',
      'does not run it',
      ({ home }: ReturnType<typeof aMac>) => {
        rmSync(loadedIn(home));
      },
    ],
  ])('status says that the agent %s', async (_, text, spoil) => {
    const mac = aMac();
    turnOn(mac.device, 'darwin');
    spoil(mac);

    const { exitCode, results } = await runAuto(mac.device, 'status');

    expect(exitCode).toBe(5);
    expect(results).toContain(text);
    expect(results).toContain('auto on');
  });

  test('moves from cron, which macOS does not let read all logs', () => {
    const { device, timers } = aMac();
    timers.fail('launchctl', 'not yet');
    expect(turnOn(device, 'darwin').timer).toBe('cron');
    timers.mend('launchctl');

    expect(turnOn(device, 'darwin').timer).toBe('launchd');
    expect(timers.table.read()).toBeNull();
  });

  test('off keeps its setting while launchd still has the job', () => {
    const { device, timers, state } = aMac();
    turnOn(device, 'darwin');
    timers.fail('launchctl', 'Operation now in progress', 'bootout');

    expect(() => turnOff(device)).toThrow(
      expect.objectContaining({ hint: `Run: launchctl bootout ${DOMAIN}/opbench.auto` }),
    );
    expect(existsSync(join(state, 'auto.json'))).toBe(true);
  });
});
