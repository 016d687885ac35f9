import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { perform } from '#core/cli/program.ts';
import { terminalOf } from '#server/admin/command.ts';
import { COMMANDS } from '#server/admin/commands.ts';
import { upgradeOn } from '#server/admin/commands/upgrade.ts';
import type { Machine } from '#server/admin/upgrade/machine.ts';
import { aDataDir } from '#tests/support/board/context.ts';
import {
  CAN_RUN,
  NEW,
  OLD,
  aProgram,
  aRelease,
  anInstallation,
  fileOf,
  inFolder,
  onServer,
  releaseOf,
} from '#tests/support/board/upgrade.ts';

const WHATS_NEW = { version: '1.3.0', text: '- New in 1.3.' };

describe.runIf(CAN_RUN)('upgrade', () => {
  test('replaces the executable, and says what is new and what to do', async () => {
    const { upgrade, state, executable } = anInstallation();

    const { status, stdout, stderr } = await upgrade(inFolder(aRelease()));

    expect(status).toBe(0);
    expect(stdout).toBe(
      `1.3.0\n\n- New in 1.3.\n\n${executable} is now version 1.3.0. It was 1.2.0.\n`,
    );
    expect(stderr).toContain('systemctl restart opbench');
    expect(state()).toEqual(NEW);
  });

  test('prints JSON', async () => {
    const { upgrade, state, executable } = anInstallation();

    const { stdout } = await upgrade(inFolder(aRelease()), '--json');

    const found = { current: '1.2.0', newest: '1.3.0', is_newer: true, notes: [WHATS_NEW] };
    expect(JSON.parse(stdout)).toEqual({ ...found, replaced: executable });
    expect(state()).toEqual(NEW);
  });

  test('downloads from a server, with progress', async () => {
    const seen: unknown[] = [];
    const onProgress = (bytes: number, total: number | null) => seen.push([bytes, total]);
    const { upgrade, state } = anInstallation({ onProgress });

    expect((await upgrade(await onServer(aRelease()))).status).toBe(0);

    const { length } = aProgram('1.3.0');
    expect(seen).toEqual([[length, length]]);
    expect(state()).toEqual(NEW);
  });

  test('installs the newest version for the platform', async () => {
    const { upgrade, state } = anInstallation();
    const files = {
      ...releaseOf('1.10.0', aProgram('1.10.0')),
      ...releaseOf('1.9.0'),
      [fileOf('1.11.0', 'linux-arm64')]: aProgram('1.11.0'),
      'opbench-board-1.12.0-linux-x64-image.tar': 'image',
    };

    expect((await upgrade(inFolder(aRelease(files)))).status).toBe(0);

    expect(state()).toEqual([['opbench-board', aProgram('1.10.0'), 0o751]]);
  });

  test('removes what an upgrade left that was killed', async () => {
    const { upgrade, state, executable } = anInstallation();
    const { pid } = spawnSync('true');
    writeFileSync(`${executable}.${pid}.opbench.tmp`, 'half');

    expect((await upgrade(inFolder(aRelease()))).status).toBe(0);

    expect(state()).toEqual(NEW);
  });

  test('works without release notes', async () => {
    const { upgrade, state } = anInstallation();
    const files = { [fileOf('1.3.0')]: aProgram('1.3.0') };

    const { stdout } = await upgrade(inFolder(aRelease(files)), '--json');

    expect(JSON.parse(stdout)).toMatchObject({ newest: '1.3.0', notes: [] });
    expect(state()).toEqual(NEW);
  });

  test('finds UPDATE_URL in a file, and remains root, which owns the executable', async () => {
    const { upgrade, state } = anInstallation();
    const file = join(aDataDir(), 'board.env');
    writeFileSync(file, `UPDATE_URL="${inFolder(aRelease())}"\n`);

    expect((await upgrade(undefined, '--env-file', file)).status).toBe(0);

    expect(state()).toEqual(NEW);
    expect(await COMMANDS['upgrade']?.()).toMatchObject({ keepsUser: true });
  });

  test('does nothing if the newest version is running', async () => {
    const { upgrade, state } = anInstallation();
    const place = inFolder(aRelease(releaseOf('1.2.0')));
    for (const words of [[], ['--check']]) {
      const { status, stdout, stderr } = await upgrade(place, ...words);
      expect([status, stdout, stderr]).toEqual([0, '1.2.0 is running, the newest version.\n', '']);
    }
    expect(state()).toEqual(OLD);
  });

  test('never installs an older version', async () => {
    const { upgrade, state } = anInstallation();
    for (const version of ['1.1.9', '1.2.0-rc.1']) {
      const place = inFolder(aRelease(releaseOf(version)));
      const { status, stderr } = await upgrade(place);
      const check = await upgrade(place, '--check', '--json');

      expect([status, stderr]).toEqual([3, expect.stringContaining('older than 1.2.0')]);
      expect([check.status, JSON.parse(check.stdout)]).toEqual([
        0,
        expect.objectContaining({ newest: version, is_newer: false }),
      ]);
    }
    expect(state()).toEqual(OLD);
  });
});

describe.runIf(CAN_RUN)('upgrade --check', () => {
  test('shows what is new, and changes nothing', async () => {
    const { upgrade, state } = anInstallation();
    const place = inFolder(aRelease());

    const text = await upgrade(place, '--check');
    const json = await upgrade(place, '--check', '--json');

    expect(text).toEqual({
      status: 0,
      stdout: '1.3.0\n\n- New in 1.3.\n\n1.3.0 is available. 1.2.0 is running.\n',
      stderr: 'To install it, run: opbench-board upgrade\n',
    });
    const found = { current: '1.2.0', newest: '1.3.0', is_newer: true, notes: [WHATS_NEW] };
    expect(JSON.parse(json.stdout)).toEqual({ ...found, replaced: null });
    expect(state()).toEqual(OLD);
  });

  test('needs no executable for the platform of a program that cannot replace itself', async () => {
    const { upgrade } = anInstallation({ kind: 'npm package', platform: 'darwin-arm64' });
    const { status, stdout, stderr } = await upgrade(inFolder(aRelease()), '--check');
    expect([status, stdout]).toEqual([0, expect.stringContaining('1.3.0 is available')]);
    expect(stderr).toContain('npm install -g');
  });

  test('downloads no executable', async () => {
    const asked: unknown[] = [];
    const { upgrade } = anInstallation();
    const place = await onServer(aRelease(), ({ url }, _, next) => {
      asked.push(url);
      next();
    });
    await upgrade(place, '--check');
    expect(asked).toEqual(['/SHA256SUMS', '/SHA256SUMS.minisig', '/RELEASE_NOTES.md']);
  });
});

test('upgrade asks for root if it cannot read the password in UPDATE_URL', () => {
  const settings = { environment: {}, server: null, unknown: ['UPDATE_URL'], unread: null };
  const machine = { kind: 'single file', fetch } as Machine;
  const call = { name: 'upgrade', command: upgradeOn(() => machine), args: [] };

  const running = async () => perform(call, terminalOf(process), settings);

  return expect(running()).rejects.toThrow('Run the command as root, or with --env-file FILE');
});

describe.runIf(CAN_RUN)('upgrade contacts nobody', () => {
  const contacted = () => Promise.reject(new Error('Contacted'));

  test.each([
    ['single file', ''],
    ['checkout', 'git pull'],
    ['npm package', 'npm install -g'],
    ['container image', 'load the image'],
  ] as const)('without UPDATE_URL: %s', async (kind, words) => {
    const { upgrade, state } = anInstallation({ kind, fetch: contacted });
    for (const more of [[], ['--check']]) {
      const { status, stdout, stderr } = await upgrade('', ...more);
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toContain('UPDATE_URL is not set, so opbench-board contacts nobody.');
      expect(stderr).toContain(words);
    }
    expect(state()).toEqual(OLD);
  });

  test.each([
    ['checkout', 'git pull'],
    ['npm package', 'npm install -g'],
    ['container image', 'load the image'],
  ] as const)('from a %s, which cannot replace itself', async (kind, words) => {
    const { upgrade, state } = anInstallation({ kind, fetch: contacted });
    const { status, stderr } = await upgrade('https://releases.example.org/');
    expect([status, stderr]).toEqual([3, expect.stringContaining(words)]);
    expect(state()).toEqual(OLD);
  });

  test('without a key to verify an answer with', async () => {
    const { upgrade } = anInstallation({ releaseKey: null, fetch: contacted });
    const { status, stderr } = await upgrade('https://releases.example.org/', '--check');
    expect([status, stderr]).toEqual([3, expect.stringContaining('contains no release key')]);
  });
});

test('UPDATE_URL is not an option', async () => {
  const { upgrade } = anInstallation();
  const { status, stderr } = await upgrade('/srv', '--update-url', '/srv');
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining('set UPDATE_URL in the environment'),
  ]);
});
