/** Checks the files of scripts/deploy, as far as possible without a server. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { readConfig } from '#server/config/config.ts';
import { aDataDir } from '#tests/support/board/context.ts';

const DEPLOY = 'scripts/deploy';
const DOCS = 'src/content/docs/run';
const read = (name: string) => readFileSync(join(DEPLOY, name), 'utf8');
const run = (program: string, args: readonly string[], env: Record<string, string> = {}) => {
  return spawnSync(program, args, { encoding: 'utf8', env: { ...process.env, ...env } });
};

const UNITS = ['opbench.service', 'opbench-backup.service', 'opbench-backup.timer'];
const hasSystemd = run('systemd-analyze', ['--version']).status === 0;

/** The units in a folder, with the path of an existing Node. */
function unitsHere(): string[] {
  const folder = aDataDir();
  return UNITS.map((name) => {
    const text = read(name).replaceAll('/opt/opbench/node_modules/.bin/node', process.execPath);
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
    const { signIn, idleSettings, dataDir } = readConfig(parseEnv(filled));

    expect({ idleSettings, dataDir }).toEqual({
      idleSettings: [],
      dataDir: resolve('/var/lib/opbench'),
    });
    expect(signIn).toMatchObject({ mail: expect.anything() as unknown });
    expect(readConfig(parseEnv(read('opbench.env'))).idleSettings).toEqual([]);
  });
});

describe('the Dockerfile', () => {
  test('copies what the build needs, and only what the ignore file allows', () => {
    const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.*) \S+$/gm)]
      .flatMap(([, files = '']) => files.split(' '))
      .filter((word) => !word.startsWith('--'));
    const passed = [...read('Dockerfile.dockerignore').matchAll(/^!(\S+)$/gm)].map(
      ([, at = '']) => at,
    );
    const build = readFileSync('scripts/build.mjs', 'utf8');
    const needed = [...build.matchAll(/^const (?:SOURCES|FILES) = \[(.*)\];$/gm)]
      .flatMap(([, names = '']) => names.split(', '))
      .map((name) => name.replaceAll("'", ''));

    expect(copied).toEqual(expect.arrayContaining(needed));
    expect(copied.filter((path) => !existsSync(path))).toEqual([]);
    const top = (paths: readonly string[]) => new Set(paths.map((path) => path.split('/')[0]));
    expect(top(copied)).toEqual(top(passed));
  });
});

describe('the documentation', () => {
  test('names each file, and no other', () => {
    const readme = read('README.md');
    const docs = readdirSync(DOCS).map((name) => readFileSync(join(DOCS, name), 'utf8'));
    const files = readdirSync(DEPLOY).filter((name) => !/^README|dockerignore$/.test(name));

    const missing = files.filter((name) => !readme.includes(`\`${name}\``) && !/timer$/.test(name));
    expect(missing).toEqual([]);
    const named = [...docs.join().matchAll(/scripts\/deploy\/([\w.-]+\w)/g)].map(
      ([, at = '']) => at,
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !files.includes(name))).toEqual([]);
    const linked = [...readme.matchAll(/\]\(([^)#]+)/g)].map(([, path = '']) => join(DEPLOY, path));
    expect(linked.filter((path) => !existsSync(path))).toEqual([]);
  });
});

/** A folder in which `program` makes the backup. */
function aBackupFolder(program: string) {
  const folder = aDataDir();
  mkdirSync(join(folder, 'dist'));
  mkdirSync(join(folder, 'kept'));
  cpSync(join(DEPLOY, 'backup.sh'), join(folder, 'backup.sh'));
  writeFileSync(join(folder, 'settings.env'), 'A=1\n');
  writeFileSync(join(folder, 'dist', 'opbench-board.mjs'), program);
  for (const [name, days] of [
    ['opbench-a.sqlite', 15],
    ['opbench-b.sqlite', 13],
    ['mine', 99],
    ['opbench-c.sqlite.99.opbench.tmp', 15],
    ['replica.sqlite', 15],
  ] as const) {
    const path = join(folder, 'kept', name);
    writeFileSync(path, '');
    const seconds = Date.now() / 1000 - days * 86_400;
    utimesSync(path, seconds, seconds);
  }
  const make = (days?: string) => {
    const env = {
      ENV_FILE: 'settings.env',
      BACKUP_FOLDER: 'kept',
      ...(days && { BACKUP_DAYS: days }),
    };
    return spawnSync('sh', ['backup.sh'], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });
  };
  const kept = () => readdirSync(join(folder, 'kept')).sort();
  return { make, kept };
}

const WRITES =
  "import { writeFileSync } from 'node:fs'; writeFileSync(process.argv[3], process.argv[2]);";

describe.skipIf(process.platform === 'win32')('backup.sh', () => {
  test('makes a backup, and deletes only backups that are too old', () => {
    const { make, kept } = aBackupFolder(WRITES);

    expect(make().status).toBe(0);
    expect(kept()).toEqual([
      'mine',
      expect.stringMatching(/^opbench-\d{4}-\d\d-\d\dT\d{6}Z\.sqlite$/),
      'opbench-b.sqlite',
    ]);
  });

  test('deletes nothing if the backup fails', () => {
    const { make, kept } = aBackupFolder('process.exit(2);');

    expect(make().status).toBe(2);
    expect(kept()).toHaveLength(5);
  });

  test.each(['two', '0', '-1', '1.5'])('rejects %s days', (days) => {
    const { make, kept } = aBackupFolder(WRITES);
    const { status, stderr } = make(days);

    expect(status).toBe(1);
    expect(stderr).toContain(`BACKUP_DAYS is "${days}"`);
    expect(kept()).toHaveLength(5);
  });
});
