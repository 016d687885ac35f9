/** The command as operators get it: from a board, with npm, on each supported version of Node.js. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Release } from '#core/schema/release.ts';
import { anInstallation, daysAgo, newCode } from '#tests/support/agent/installation.ts';
import { sharing } from '#tests/support/board/cleanup.ts';
import { aFolder, folderOfNode, npm } from '#tests/support/agent/npm.ts';
import { start } from '#tests/support/http/process.ts';
import { sharedServer } from '#tests/support/http/server.ts';
import { expectMode } from '#tests/support/board/file-mode.ts';

const COUNTS = { input: 10_000, output: 20_000, cache_write: 5_000, cache_read: 300_000 };

const board = sharedServer();

async function releaseAt(url: string): Promise<Release> {
  return Release.parse(await (await fetch(`${url}/opbench.json`)).json());
}

async function download(url: string): Promise<Buffer> {
  const answer = await fetch(url);
  expect([url, answer.status]).toEqual([url, 200]);
  return Buffer.from(await answer.arrayBuffer());
}

const integrityOf = (bytes: Buffer) =>
  `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

describe('what a board serves', () => {
  test('is one program, which npx runs, and which tar and gzip can extract', async () => {
    const { url } = await board();
    const release = await releaseAt(url);
    const [packed, program] = [
      await download(release.package.url),
      await download(release.file.url),
    ];
    const folder = aFolder();
    writeFileSync(join(folder, 'opbench.tgz'), packed);
    const unpacked = spawnSync('tar', ['-xzf', 'opbench.tgz'], { cwd: folder, encoding: 'utf8' });
    const file = join(folder, 'package', 'opbench.mjs');
    const words = ['--yes', '--allow-remote=root', release.package.url, '--version'];
    const ended = await npm('npx', words, aFolder());

    expect(ended).toMatchObject({ status: 0, stdout: `${release.version}\n` });
    expect(unpacked).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(file)).toEqual(program);
    expectMode(file, 0o755);
    expect(integrityOf(packed)).toBe(release.package.integrity);
    expect(integrityOf(program)).toBe(release.file.integrity);
    expect(program.includes('@OPBENCH_BOARD@')).toBe(false);
  });

  test('has its version in the address, which the board publishes', async () => {
    const { url } = await board();
    const { version } = await releaseAt(url);
    const path = `/opbench-${version}.tgz`;
    const latest = await fetch(`${url}/opbench.tgz`, { redirect: 'manual' });
    const other = await fetch(`${url}/opbench-0.0.1.tgz`);

    expect([latest.status, latest.headers.get('location')]).toEqual([302, path]);
    expect([other.status, await other.text()]).toEqual([
      404,
      `This board serves opbench ${version}: ${url}${path}\n`,
    ]);
  });
});

// On Windows, npm installs a script that needs a shell.
describe.skipIf(process.platform === 'win32')('installed by npm', () => {
  const cleanups: (() => void)[] = [];
  let program = '';

  beforeAll(async () => {
    const folder = sharing(cleanups, aFolder);
    const { package: packed } = await releaseAt((await board()).url);
    writeFileSync(join(folder, 'opbench.tgz'), await download(packed.url));
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    const words = ['install', '--offline', '--ignore-scripts', '--no-audit', './opbench.tgz'];
    expect(await npm('npm', words, folder)).toMatchObject({ status: 0 });
    program = join(folder, 'node_modules', '.bin', 'opbench');
  });
  afterAll(() => cleanups.forEach((clean) => clean()));

  test.for(['20', '24'])('works through the loop on Node.js %s', async (major, { skip }) => {
    const node = folderOfNode(major);
    if (node === null) return skip(`no Node ${major} was found`);
    const server = await board();
    const codename = `node-${major}`;
    const release = await releaseAt(server.url);
    const device = anInstallation();
    device.logDay(daysAgo(1), COUNTS);
    const env = { HOME: device.home, PATH: node };
    const opbench = (...args: string[]) => start(program, args, env).finished;
    const asked = [
      await opbench('--version'),
      await opbench('scan'),
      await opbench('enroll', await newCode(server.url, await server.signIn(codename))),
      await opbench('submit', '--dry-run'),
      await opbench('submit'),
      await opbench('status'),
    ];
    const copy = join(device.home, '.config', 'opbench', 'opbench.mjs');
    const leaving = await start(join(node, 'node'), [copy, 'logout'], env).finished;
    const gone = await opbench('status');

    expect(asked.map(({ status }) => status)).toEqual([0, 0, 0, 0, 0, 0]);
    const [told, , enrolled, shown, , standing] = asked.map(({ stdout }) => stdout);
    expect(told).toBe(`${release.version}\n`);
    expect(enrolled).toContain(`Enrolled as ${codename} on ${server.url}`);
    expect(JSON.parse(shown ?? '')).toMatchObject({ records: [{ telemetry: COUNTS }] });
    expect(standing).toContain(codename);
    expect(integrityOf(readFileSync(copy))).toBe(release.file.integrity);
    expect([leaving.status, gone.status]).toEqual([0, 2]);
  });
});

describe.skipIf(process.platform === 'win32')('installed as a command', () => {
  /** A home folder with logs. */
  function aHome() {
    const device = anInstallation();
    device.logDay(daysAgo(1), COUNTS);
    const env = { HOME: device.home, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };
    const run = (program: string, ...words: string[]) => start(program, words, env).finished;
    return { home: device.home, env, run };
  }

  test('by the script of the board, which also enrolls', async () => {
    const server = await board();
    const { home, env, run } = aHome();
    const code = await newCode(server.url, await server.signIn('eve'));
    const line = `curl -fsSL ${server.url}/install.sh | sh -s -- enroll ${code}`;

    const installed = await start('/bin/sh', ['-c', line], env).finished;
    const command = join(home, '.local', 'bin', 'opbench');
    const asked = [await run(command, '--help'), await run(command, 'submit')];
    const updated = await run(command, 'update', '--json');

    expect(installed).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/Enrolled as eve on [^]*\n  opbench submit --dry-run\n/),
    });
    expect(installed.stdout).not.toContain('alias');
    expect(asked).toMatchObject([
      { status: 0, stdout: expect.not.stringContaining('alias') },
      { status: 0, stdout: expect.stringContaining('1 daily count accepted') },
    ]);
    expect(JSON.parse(updated.stdout)).toMatchObject({ updated: false });
  });

  test('by npm, in its global folder', async () => {
    const { url } = await board();
    const { version } = await releaseAt(url);
    const folder = aFolder();
    const prefix = join(folder, 'global');
    const flags = ['--global', '--prefix', prefix, '--allow-remote=root', '--no-audit'];

    const installed = await npm('npm', ['install', ...flags, `${url}/opbench.tgz`], folder);
    const program = join(prefix, 'bin', 'opbench');
    const ended = await aHome().run(program, '--version');

    expect(installed).toMatchObject({ status: 0 });
    expect(ended).toMatchObject({ status: 0, stdout: `${version}\n` });
  });
});
