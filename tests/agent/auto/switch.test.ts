import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { turnOff, turnOn } from '#agent/auto/switch.ts';
import { systemd } from '#agent/auto/systemd.ts';
import { installedFile } from '#agent/state/copy.ts';
import { withSavedProxy } from '#agent/state/saved-proxy.ts';
import { aMachine, runAuto as run } from '#tests/support/agent/timed-machine.ts';

const IS_WINDOWS = process.platform === 'win32';

function filesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

describe.skipIf(IS_WINDOWS).each(['systemctl', 'crontab'] as const)(
  'auto on, with %s',
  (program) => {
    test('saves the proxy variables for the timer, and writes no password elsewhere', async () => {
      const { device, timers, units } = aMachine([program]);
      const bare = device.environment;
      const HTTPS_PROXY = 'http://ada:secret@proxy.example.org:3128';
      const environment = { ...bare, HTTPS_PROXY, no_proxy: 'x' };

      const { exitCode, results, notes } = await run({ ...device, environment }, 'on', '--json');

      expect(exitCode).toBe(0);
      expect(notes).toContain('Saved HTTPS_PROXY, no_proxy for the timer');
      expect(withSavedProxy(bare, 'timer')).toMatchObject({ HTTPS_PROXY, no_proxy: 'x' });
      const unit = filesIn(units).map((name) => {
        const path = join(units, name);
        return name.endsWith('.service') ? readFileSync(path, 'utf8') : '';
      });
      const written = [results, notes, timers.table.read(), ...unit].join('\n');
      expect(written).not.toContain('secret');

      await run(device, 'off');
      expect(withSavedProxy(bare, 'timer')).toEqual(bare);
    });
  },
);

describe.skipIf(IS_WINDOWS)('auto on, with systemd', () => {
  test('writes units that run the saved copy, and starts the timer', async () => {
    const { device, timers, units } = aMachine(['systemctl', 'crontab']);

    const ended = await run(device, 'on', '--json');

    expect(ended.exitCode).toBe(0);
    expect(JSON.parse(ended.results)).toMatchObject({
      state: 'on',
      timer: 'systemd',
      findings: [],
    });
    const calls = timers.calls('systemctl');
    expect(calls.slice(-4, -2)).toEqual([
      '--user daemon-reload',
      '--user enable --now opbench.timer',
    ]);
    expect(existsSync(installedFile(device.environment))).toBe(true);
    const timer = readFileSync(join(units, 'opbench.timer'), 'utf8');
    expect(timer).toMatch(
      /^OnCalendar=\*-\*-\* 00\/6:00:00\nRandomizedDelaySec=1h\nPersistent=true$/m,
    );
    expect(timers.table.read()).toBeNull();
  });

  test('escapes special characters for systemd', async () => {
    const { device, units } = aMachine(['systemctl']);

    turnOn(device, 'linux');

    const service = readFileSync(join(units, 'opbench.service'), 'utf8');
    const odd = String.raw`a 'b\" 50%% $$HOME é`;
    const state = String.raw`a 'b\" 50%% $HOME é/state"`;
    expect(service).toContain(`${odd}/state/opbench.mjs" auto run\n`);
    expect(service).toMatch(/^Environment="OPBENCH_HOME=/m);
    expect(service).toContain(`${state}\n`);
    const paths = [join(units, 'opbench.service'), join(units, 'opbench.timer')];
    const verified = spawnSync('systemd-analyze', ['--user', 'verify', ...paths], {
      env: { PATH: process.env.PATH, HOME: units, XDG_RUNTIME_DIR: units },
      encoding: 'utf8',
    });
    // Without systemd, this cannot be checked.
    const isMissing = verified.error !== undefined && process.env['OPBENCH_TEST_TIMERS'] !== 'yes';
    if (process.platform === 'linux' && !isMissing)
      expect(verified).toMatchObject({ status: 0, stderr: '' });
  });

  test('leaves nothing behind if systemd rejects the timer', () => {
    const { device, timers, units, state } = aMachine(['systemctl']);
    timers.fail('systemctl', 'Unit is masked', 'enable');

    expect(() => turnOn(device, 'linux')).toThrow('Unit is masked');
    expect(filesIn(units)).toEqual([]);
    expect(existsSync(join(state, 'auto.json'))).toBe(false);
  });

  test('writes no unit for a Node.js path that systemd cannot run', () => {
    const { device, units } = aMachine(['systemctl']);
    const job = { node: "/home/o'hara/node", file: device.file, variables: {} };

    expect(() => systemd.set(device.environment, job, 0)).toThrow('a quote or backslash');
    expect(filesIn(units)).toEqual([]);
  });

  test('does not touch a unit of the same name that is not ours', () => {
    const { device, units } = aMachine(['systemctl']);
    const path = join(units, 'opbench.service');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '[Service]\n');

    expect(() => turnOn(device, 'linux')).toThrow(path);
    turnOff(device);

    expect(readFileSync(path, 'utf8')).toBe('[Service]\n');
  });

  test('says that a timer without lingering runs only while the user is signed in', async () => {
    const { device } = aMachine(['systemctl', 'loginctl']);

    expect(await run(device, 'on')).toMatchObject({
      exitCode: 0,
      notes: expect.stringContaining('loginctl enable-linger'),
    });
  });
});

describe.skipIf(IS_WINDOWS)('auto on, with cron', () => {
  const OTHERS = Buffer.from('SHELL=/bin/fish\r\n# gr\xfcn\n0 0 * * * true # opbench', 'latin1');

  test('adds one line and preserves all others byte for byte', () => {
    const { device, timers } = aMachine(['systemctl', 'crontab']);
    timers.fail('systemctl', 'Failed to connect to bus');
    timers.table.write(OTHERS);

    turnOn(device, 'linux');
    turnOn(device, 'linux');

    const [ours = '', ...others] = timers.table.read()?.toString('latin1').split('\n') ?? [];
    expect(ours).toMatch(/^[0-5]?\d ([0-5]),\d+,\d+,\d+ \* \* \* .*# opbench auto on$/);
    expect(others.join('\n')).toBe(OTHERS.toString('latin1'));
    expect(turnOff(device)).toBe(true);
    expect(timers.table.read()).toEqual(OTHERS);
    expect(turnOff(device)).toBe(false);
  });

  test('recognizes only its own line', () => {
    const { device, timers } = aMachine(['crontab']);
    turnOn(device, 'linux');
    const [ours = ''] = timers.table.read()?.toString('latin1').split('\n') ?? [];
    const others = [
      '0 3 * * * backup # opbench auto on',
      `# ${ours}`,
      "0 3 * * * 'a' 'b' rm # opbench auto on",
      ours.replace('auto run', 'auto run; backup'),
    ].join('\n');
    const moved = ours.replace(/^\S+ \S+/, '*/5 3-9');
    timers.table.write(Buffer.from(`${others}\n${moved}\n`, 'latin1'));

    expect(turnOff(device)).toBe(true);
    expect(timers.table.read()?.toString('latin1')).toBe(`${others}\n`);
  });

  test('escapes special characters for cron and the shell', () => {
    const { device, timers, state } = aMachine(['crontab']);
    turnOn(device, 'linux');

    const [, line = ''] = /^(?:\S+ ){5}(.*)\n$/.exec(String(timers.table.read())) ?? [];
    // Like cron: an escaped percent sign is literal, any other ends the command.
    const [command = ''] = line.split(/(?<!\\)%/);
    const ended = spawnSync('/bin/sh', ['-c', command.replaceAll(String.raw`\%`, '%')], {
      env: {},
    });

    expect(ended.status).toBe(0);
    expect(JSON.parse(readFileSync(join(state, 'ran'), 'utf8'))).toEqual(['auto', 'run']);
  });

  test('runs devices at different minutes', () => {
    const times = Array.from({ length: 4 }, () => {
      const { device, timers } = aMachine(['crontab']);
      turnOn(device, 'linux');
      return String(timers.table.read()).split(' ').slice(0, 2).join(' ');
    });

    expect(new Set(times).size).toBeGreaterThan(1);
  });

  test('writes nothing if the crontab cannot be read', () => {
    const { device, timers } = aMachine(['crontab']);
    timers.table.write(OTHERS);
    turnOn(device, 'linux');
    timers.fail('crontab', 'you are not allowed to use this program');
    const before = timers.table.read();

    expect(() => turnOff(device)).toThrow('The crontab cannot be read: you are not allowed');
    expect(() => turnOn(device, 'linux')).toThrow(/no systemd user manager and no crontab/);
    expect(timers.table.read()).toEqual(before);
  });

  test('keeps its setting if crontab is missing', () => {
    const { device, timers, state } = aMachine(['crontab']);
    turnOn(device, 'linux');
    const elsewhere = { environment: { ...device.environment, PATH: state } };

    expect(() => turnOff(elsewhere)).toThrow('may still be in your crontab');
    expect(existsSync(join(state, 'auto.json'))).toBe(true);
    expect(turnOff(device)).toBe(true);
    expect(timers.table.read()).toBeNull();
  });
});

describe('auto', () => {
  test.skipIf(IS_WINDOWS)(
    'moves to systemd when that becomes available, and off removes both',
    () => {
      const { device, timers, units } = aMachine(['systemctl', 'crontab']);
      timers.fail('systemctl', 'Failed to connect to bus');
      expect(turnOn(device, 'linux').timer).toBe('cron');
      const ours = timers.table.read() ?? '';
      timers.mend('systemctl');

      expect(turnOn(device, 'linux').timer).toBe('systemd');
      expect(timers.table.read()).toBeNull();
      timers.table.write(ours);
      expect(turnOff(device)).toBe(true);

      expect(timers.table.read()).toBeNull();
      expect(filesIn(units)).toEqual([]);
    },
  );

  test('requires an enrollment', () => {
    const { device, timers } = aMachine(['crontab'], { isEnrolled: false });

    expect(() => turnOn(device, 'linux')).toThrow('not enrolled on any board');
    expect(timers.table.read()).toBeNull();
  });

  test('says what to do without systemd and cron', () => {
    const { device, state } = aMachine([]);
    const on = (platform: typeof process.platform) => () => turnOn(device, platform);

    expect(on('linux')).toThrow(
      expect.objectContaining({ exitCode: 1, hint: expect.stringContaining('auto run') }),
    );
    expect(on('win32')).toThrow(
      expect.objectContaining({
        hint: expect.stringMatching(/schtasks \/create \/tn opbench \/sc hourly \/mo 6 \/tr /),
      }),
    );
    expect(existsSync(join(state, 'auto.json'))).toBe(false);
  });

  test.skipIf(IS_WINDOWS)('rejects a path with a line break', () => {
    const { device, timers } = aMachine(['crontab']);
    const environment = { ...device.environment, CODEX_HOME: '/logs\n* * * * * reboot' };

    expect(() => turnOn({ ...device, environment }, 'linux')).toThrow('CODEX_HOME');
    expect(timers.table.read()).toBeNull();
  });

  test('accepts no other argument', async () => {
    const { device } = aMachine([]);

    await expect(run(device)).rejects.toThrow('auto needs on, off or status');
    await expect(run(device, 'constructor')).rejects.toThrow('auto needs on, off or status');
  });
});
