/** `opbench-board upgrade` as a process that ends at the worst moment, and in the built program. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aDataDir } from '#tests/support/board/context.ts';
import { CAN_LIMIT, takeAllRoom } from '#tests/support/board/disk.ts';
import {
  CAN_RUN,
  KEY,
  NEW,
  OLD,
  PLATFORM,
  aRelease,
  anInstallation,
  fileOf,
  inFolder,
  onServer,
  releaseOf,
} from '#tests/support/board/upgrade.ts';
import { runBuilt, start } from '#tests/support/http/process.ts';
import { eventually } from '#tests/support/http/server.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Runs the upgrade of an installation in a process of its own. */
function startUpgrade({ executable }: { executable: string }, place: string) {
  const machine = JSON.stringify({
    kind: 'single file',
    version: '1.2.0',
    platform: PLATFORM,
    executable,
    releaseKey: KEY.publicKey,
  });
  const code = `
    const { runProgram } = await import('#core/cli/program.ts');
    const { terminalOf } = await import('#server/admin/command.ts');
    const { PROGRAM } = await import('#server/admin/commands.ts');
    const { upgradeOn } = await import('#server/admin/commands/upgrade.ts');
    const machine = { ...${machine}, fetch, platformOf: () => '${PLATFORM}', onProgress() {} };
    const commands = { ...PROGRAM.commands, upgrade: () => upgradeOn(() => machine) };
    process.exitCode = await runProgram({ ...PROGRAM, commands }, ['upgrade'], terminalOf(process));
  `;
  const args = ['--input-type=module', '--eval', code];
  const env = { UPDATE_URL: place, PATH: process.env['PATH'] ?? '' };
  const started = start(process.execPath, args, env, ROOT);
  onTestFinished(() => void started.child.kill('SIGKILL'));
  return started;
}

/** A server that sends half of the program, and the rest when `release` is called. */
async function aSlowServer(files = aRelease()) {
  const half = Promise.withResolvers();
  const rest = Promise.withResolvers();
  const text = files[fileOf('1.3.0')] ?? '';
  const place = await onServer(files, ({ url }, response, next) => {
    if (url !== `/${fileOf('1.3.0')}`) return next();
    response.write(text.slice(0, 20), () => half.resolve(null));
    void rest.promise.then(() => response.end(text.slice(20)));
  });
  return { place, half: half.promise, release: () => rest.resolve(null) };
}

/** Whether a file of the program was begun next to the executable. */
const isBegun = ({ folder }: { folder: string }) =>
  eventually(
    () => Promise.resolve(readdirSync(folder).length),
    (count) => count === 2,
  );

describe.runIf(CAN_RUN)('an upgrade', () => {
  test('that is killed during the download leaves the old file, and the next one cleans up', async () => {
    const installation = anInstallation();
    const { place, half } = await aSlowServer();
    const { child, finished } = startUpgrade(installation, place);
    await half;
    await isBegun(installation);

    child.kill('SIGKILL');
    await finished;

    expect(installation.state()).toHaveLength(2);
    expect(installation.state()).toEqual(expect.arrayContaining(OLD));
    expect((await installation.upgrade(inFolder(aRelease()))).status).toBe(0);
    expect(installation.state()).toEqual(NEW);
  });

  test('that is killed while it tries the new file leaves the old one', async () => {
    const installation = anInstallation();
    const place = inFolder(aRelease(releaseOf('1.3.0', '#!/bin/sh\ntouch "$0.ran"\ncat\n')));
    const { child, finished } = startUpgrade(installation, place);
    await eventually(
      () => Promise.resolve(readdirSync(installation.folder)),
      (names) => names.some((name) => name.endsWith('.ran')),
    );

    child.kill('SIGKILL');
    await finished;

    expect(installation.state()).toEqual(expect.arrayContaining(OLD));
  });

  test('that is stopped during the download leaves only the old file', async () => {
    const installation = anInstallation();
    const { place, half } = await aSlowServer();
    const { child, finished } = startUpgrade(installation, place);
    await half;
    await isBegun(installation);

    child.kill('SIGTERM');
    await finished;

    expect(child.signalCode).toBe('SIGTERM');
    expect(installation.state()).toEqual(OLD);
  });

  test.runIf(CAN_LIMIT)('that runs out of space leaves only the old file', async () => {
    const installation = anInstallation();
    const { place, half, release } = await aSlowServer();
    const { child, finished } = startUpgrade(installation, place);
    await half;
    await isBegun(installation);

    takeAllRoom({ pid: child.pid ?? 0 });
    release();

    const { status, stderr } = await finished;
    expect([status, stderr]).toEqual([2, expect.stringContaining('is full. Free some space')]);
    expect(installation.state()).toEqual(OLD);
  });

  test('that takes its time installs the new file', async () => {
    const installation = anInstallation();
    const { place, half, release } = await aSlowServer();
    const { finished } = startUpgrade(installation, place);
    await half;
    release();

    expect((await finished).status).toBe(0);
    expect(installation.state()).toEqual(NEW);
  });
});

test('the built program is a checkout, which git upgrades', async () => {
  const folder = join(aDataDir(), 'releases');
  mkdirSync(folder);
  const without = await runBuilt('opbench-board.mjs', ['upgrade'], {});
  const upgrade = await runBuilt('opbench-board.mjs', ['upgrade'], { UPDATE_URL: folder });

  expect([without.status, without.stderr]).toEqual([
    1,
    expect.stringMatching(/UPDATE_URL is not set.*\n.*git pull/),
  ]);
  expect([upgrade.status, upgrade.stdout, upgrade.stderr]).toEqual([
    3,
    '',
    expect.stringContaining('This is a checkout'),
  ]);
});
