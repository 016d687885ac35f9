/** Whatever is wrong with a release, the old executable stays, next to no other file. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { platformOf } from '#server/admin/upgrade/executable-format.ts';
import type { Machine } from '#server/admin/upgrade/machine.ts';
import { aDataDir } from '#tests/support/board/context.ts';
import {
  CAN_RUN,
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
