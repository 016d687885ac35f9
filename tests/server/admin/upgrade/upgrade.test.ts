import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { platformOf } from '#server/admin/upgrade/executable-format.ts';
import type { Machine } from '#server/admin/upgrade/machine.ts';
import { aDataDir } from '#tests/support/board/context.ts';
import {
  CAN_RUN,
  NEW,
  NOTES,
  OLD,
  aProgram,
  aRelease,
  anInstallation,
  fileOf,
  inFolder,
  onServer,
  releaseOf,
  signed,
} from '#tests/support/board/upgrade.ts';
import { newKeyPair } from '../../../../scripts/release/minisign.mjs';

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

/** What can be wrong with a release: the files, the exit code and the words that explain it. */
const GOOD = aRelease();
const DAMAGED = { ...GOOD, [fileOf('1.3.0')]: aProgram('1.3.0').replace('echo', 'Echo') };
const NO_SUMS = Object.fromEntries(Object.entries(GOOD).filter(([name]) => !/^SHA/.test(name)));
const FAULTY: [what: string, files: Record<string, string>, status: number, words: string][] = [
  ['no list of files', NO_SUMS, 1, 'There is no SHA256SUMS in'],
  ['no signature', { ...NO_SUMS, SHA256SUMS: 'a' }, 3, 'Ask the publisher to sign it'],
  ['a wrong signature', { ...GOOD, SHA256SUMS: `${GOOD['SHA256SUMS']}\n` }, 3, 'is wrong'],
  [
    'a signature by another key',
    signed(GOOD, GOOD['SHA256SUMS'] ?? '', newKeyPair()),
    3,
    'trusts only',
  ],
  ['a list of another form', signed(GOOD, 'a\n'), 3, 'Line 1 of SHA256SUMS'],
  ['a list without programs', aRelease({ a: 'a' }), 3, 'no release for linux-x64. Ask'],
  [
    'programs for another platform',
    aRelease({ [fileOf('1.3.0', 'linux-arm64')]: 'a' }),
    3,
    'no release for linux-x64, only for linux-arm64. Ask',
  ],
  ['changed notes', { ...GOOD, 'RELEASE_NOTES.md': `${NOTES}a` }, 3, 'RELEASE_NOTES.md differs'],
  ['a damaged program', DAMAGED, 3, `${fileOf('1.3.0')} differs from its digest`],
  [
    'half a program',
    { ...GOOD, [fileOf('1.3.0')]: aProgram('1.3.0').slice(0, 20) },
    3,
    'differs from its digest',
  ],
  [
    'no program',
    Object.fromEntries(Object.entries(GOOD).filter(([name]) => name !== fileOf('1.3.0'))),
    3,
    `${fileOf('1.3.0')} is missing in`,
  ],
  [
    'a program that does not start',
    aRelease(releaseOf('1.3.0', '#!/bin/sh\necho GLIBC_9 not found >&2\nexit 1\n')),
    3,
    'does not start on this machine: GLIBC_9 not found',
  ],
  [
    'a program without an interpreter',
    aRelease(releaseOf('1.3.0', '#!/none\n')),
    3,
    'does not start on this machine: ',
  ],
  [
    'another version than its name says',
    aRelease(releaseOf('1.3.0', aProgram('1.3.0-rc.1'))),
    3,
    'is another version than its name says',
  ],
];

describe.runIf(CAN_RUN)('upgrade keeps the old file and leaves no other if', () => {
  test.each(FAULTY)('there is %s', async (_, files, exit, words) => {
    const { upgrade, state } = anInstallation();
    const password = 's3cr3t';
    const server = (await onServer(files)).replace('//', `//ada:${password}@`);
    for (const place of [inFolder(files), server]) {
      const { status, stdout, stderr } = await upgrade(place);

      expect([status, stderr]).toEqual([exit, expect.stringContaining(words)]);
      expect(stderr).toMatch(/^opbench-board: [^\n]+\n$/);
      expect(stdout + stderr).not.toContain(password);
      expect(state()).toEqual(OLD);
    }
  });

  test.each<[what: string, changes: Partial<Machine>, words: string]>([
    ['not an executable', { platformOf }, 'is not an executable, not one for linux-x64'],
    ['for another platform', { platformOf: () => 'linux-arm64' }, 'an executable for linux-arm64'],
  ])('the download is %s', async (_, changes, words) => {
    const { upgrade, state } = anInstallation(changes);
    const { status, stderr } = await upgrade(inFolder(aRelease()));
    expect([status, stderr]).toEqual([3, expect.stringContaining(words)]);
    expect(state()).toEqual(OLD);
  });

  test.each([
    ['ENOSPC', 'is full. Free some space'],
    ['EDQUOT', 'is full. Free some space'],
    ['EROFS', 'not mounted read-only'],
    ['EPERM', 'Run the command as root'],
    ['EIO', 'The operating system reported an error: EIO'],
  ])('writing fails with %s', async (code, words) => {
    const onProgress = () => {
      throw Object.assign(new Error(`${code}: as in write`), { code, syscall: 'write' });
    };
    const { upgrade, state } = anInstallation({ onProgress });
    const { status, stderr } = await upgrade(inFolder(aRelease()));
    expect([status, stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(state()).toEqual(OLD);
  });

  test('the folder of the executable does not exist any more', async () => {
    const { upgrade } = anInstallation({ executable: join(aDataDir(), 'none', 'opbench-board') });
    expect((await upgrade(inFolder(aRelease()))).status).toBe(2);
  });

  test('the server cannot be reached', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const { upgrade, state } = anInstallation();

    const { status, stderr } = await upgrade(`http://ada:s3cr3t@127.0.0.1:${port}/`);

    expect([status, stderr]).toEqual([
      3,
      `opbench-board: http://127.0.0.1:${port}/SHA256SUMS cannot be read (ECONNREFUSED). Check UPDATE_URL and the network, then run the command again\n`,
    ]);
    expect(state()).toEqual(OLD);
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
