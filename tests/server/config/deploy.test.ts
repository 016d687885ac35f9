/** Checks the files of scripts/deploy, as far as possible without a server. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { VERSION } from '#core/cli/version.ts';
import { readConfig } from '#server/config/config.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { aDataDir } from '#tests/support/board/context.ts';

const DEPLOY = 'scripts/deploy';
const DOCS = 'src/content/docs/run';
const read = (name: string) => readFileSync(join(DEPLOY, name), 'utf8');
const run = (program: string, args: readonly string[], env: Record<string, string> = {}) => {
  return spawnSync(program, args, { encoding: 'utf8', env: { ...process.env, ...env } });
};

const UNITS = ['opbench.service', 'opbench-backup.service', 'opbench-backup.timer'];
const hasSystemd = run('systemd-analyze', ['--version']).status === 0;

/** The units in a folder, with the path of an existing program. */
function unitsHere(): string[] {
  const folder = aDataDir();
  return UNITS.map((name) => {
    const text = read(name).replaceAll('/usr/local/bin/opbench-board', process.execPath);
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  });
}

describe.skipIf(!hasSystemd)('the units', () => {
  test('are valid', () => {
    const { status, stderr } = run('systemd-analyze', ['verify', '--man=no', ...unitsHere()]);

    expect([status, stderr]).toEqual([0, '']);
  });

  test.each(UNITS.slice(0, 2))('sandbox %s', (name) => {
    const unit = unitsHere().find((path) => path.endsWith(name)) ?? '';
    const asked = ['security', '--offline=true', '--threshold=15', unit];
    const { status, stdout } = run('systemd-analyze', asked);

    expect([status, /Overall exposure level.*/.exec(stdout)?.[0]]).toMatchObject([0, {}]);
  });
});

describe('opbench.env', () => {
  test('is valid, and still is with every setting uncommented', () => {
    const filled = read('opbench.env')
      .replaceAll(/^#(?=[A-Z_]+=)/gm, '')
      .replaceAll('=""', '="x"')
      .replace(/^BOARD_DIR=.*$/m, '');
    const { signIn, idleSettings, dataDir, access, ...config } = readConfig(parseEnv(filled));

    expect({ idleSettings, dataDir }).toEqual({
      idleSettings: [],
      dataDir: resolve('/var/lib/opbench'),
    });
    expect(signIn).toMatchObject({ mail: expect.anything() as unknown, passkeys: 'open' });
    expect(access).toMatchObject({ read: 'members', join: 'invite' });
    expect(config).toMatchObject({
      metrics: { host: '127.0.0.1', port: 9464 },
      backup: { folder: '/var/backups/opbench', keep: 14 },
    });
    expect(readConfig(parseEnv(read('opbench.env'))).idleSettings).toEqual([]);
  });

  test('leaves what admins choose in the browser to them', () => {
    expect(readConfig(parseEnv(read('opbench.env'))).givenSite).toEqual({});
  });

  test('is read by the service, the backup and the container', () => {
    for (const name of ['opbench.service', 'opbench-backup.service']) {
      expect(read(name)).toMatch(/^ExecStart=.* --env-file \/etc\/opbench\.env$/m);
    }
    expect(read('compose.yaml')).toMatch(/^ {4}env_file: \.env\.board$/m);
  });
});

describe('the documentation', () => {
  test('names each file, and no other', () => {
    const readme = read('README.md');
    const docs = readdirSync(DOCS).map((name) => readFileSync(join(DOCS, name), 'utf8'));
    const files = readdirSync(DEPLOY).filter((name) => name !== 'README.md');

    const missing = files.filter((name) => !readme.includes(`\`${name}\``) && !/timer$/.test(name));
    expect(missing).toEqual([]);
    const named = [...docs.join().matchAll(/\bdeploy\/([\w.-]+\w)/g)].map(([, at = '']) => at);
    expect(named.filter((name) => !files.includes(name))).toEqual([]);
    const linked = [...readme.matchAll(/\]\(([^)#]+)/g)].map(([, path = '']) => join(DEPLOY, path));
    expect(linked.filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe('opbench-board deploy', () => {
  test('writes every file, and nothing over an existing one', async () => {
    const folder = join(aDataDir(), 'new');
    const { status, stdout } = await runAdmin(['deploy', folder, '--json']);
    const { files } = JSON.parse(stdout) as { files: string[] };

    expect(status).toBe(0);
    expect(files.map((path) => basename(path))).toEqual(
      readdirSync(DEPLOY)
        .filter((name) => !/README.md|backup.sh/.test(name))
        .sort(),
    );
    expect(readFileSync(join(folder, 'opbench.service'), 'utf8')).toBe(read('opbench.service'));
    const compose = readFileSync(join(folder, 'compose.yaml'), 'utf8');
    expect(/image: (opbench-board:.*)/.exec(compose)?.[1]).toBe(`opbench-board:${VERSION}`);
    writeFileSync(join(folder, 'opbench.env'), 'mine');
    const again = await runAdmin(['deploy', folder]);
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('already exist')]);
    expect(readFileSync(join(folder, 'opbench.env'), 'utf8')).toBe('mine');
  });
});
