/** The built opbench-board outside a checkout: its settings, its data folder and its user. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { programFiles } from '../../../scripts/release/files.mjs';
import { ROOT, aDataDir, execute, testContext } from '#tests/support/board/context.ts';
import { aFreePort } from '#tests/support/http/free-port.ts';
import { start, untilServing } from '#tests/support/http/process.ts';

/** A user that owns nothing here, and that the system may not know. */
const OTHER = 65_432;

/** A folder that other users can read. */
function aPublicFolder(): string {
  const folder = aDataDir();
  chmodSync(folder, 0o755);
  return folder;
}

/** Runs the program from a copy of its files, as a package contains them, in its own working directory. */
function aPackage() {
  const folder = aPublicFolder();
  for (const { path, bytes } of programFiles()) {
    mkdirSync(dirname(join(folder, 'program', path)), { recursive: true });
    writeFileSync(join(folder, 'program', path), bytes);
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'program', 'node_modules'), 'junction');
  mkdirSync(join(folder, 'work'));
  const cwd = join(folder, 'work');
  // Without `--`, Node itself would report a missing file.
  const words = ['--', join(folder, 'program', 'dist', 'opbench-board.mjs')];
  const board = (args: readonly string[], env: Record<string, string> = {}) => {
    return start(process.execPath, [...words, ...args], env, cwd);
  };
  return { cwd, board, run: (line: string, env = {}) => board(line.split(' '), env).finished };
}

type Package = ReturnType<typeof aPackage>;

/** Starts the server. Returns a function that stops it. */
async function serving({ board }: Package, args: string[], env: Record<string, string>) {
  const served = board(['serve', ...args], env);
  await untilServing(served);
  return async () => {
    served.child.kill('SIGTERM');
    expect((await served.finished).status).toBe(0);
  };
}

describe('a shell that knows only the data folder', () => {
  test('has the settings of the running server, and its file after it stopped', async () => {
    const program = aPackage();
    const { cwd, run } = program;
    const DATA_DIR = aDataDir();
    const file = join(cwd, 'board.env');
    mkdirSync(join(cwd, 'own'));
    writeFileSync(join(cwd, 'own', 'board.toml'), 'name = "My board"\n');
    const inFile = `PORT=${await aFreePort()}\nBOARD_DIR=own\nTRUST_PROXY=loopback\nBASE_URL=https://b.example\n`;
    writeFileSync(file, inFile);
    const env = { DATA_DIR, CONTACT_EMAIL: 'a@b.example', NODE_ENV: 'production' };
    const stop = await serving(program, ['--env-file', 'board.env'], env);

    const note = readFileSync(join(DATA_DIR, 'server.json'), 'utf8');
    const shell = { DATA_DIR };
    const doctor = await run('doctor', shell);
    const health = await run('health', shell);
    const link = await run('login-link --new ada', shell);
    const backup = await run(`backup ${join(cwd, 'x.sqlite')}`, shell);
    await stop();
    const after = await run('doctor --offline', shell);

    expect(JSON.parse(note)).toMatchObject({
      env_file: file,
      settings: { BOARD_DIR: join(cwd, 'own'), CONTACT_EMAIL: 'a@b.example' },
    });
    expect([doctor.status, doctor.stderr]).toEqual([0, '']);
    expect(doctor.stdout).toContain('My board is served at https://b.example (on http://127.0');
    expect(doctor.stdout).toContain('the board is running and ready');
    expect(doctor.stdout).not.toContain('TRUST_PROXY');
    expect([health.status, health.stdout.trim().split('\n')]).toEqual([0, [expect.any(String)]]);
    expect(link.stdout).toMatch(/^https:\/\/b\.example\/login\/link\?token=/);
    expect(backup.status).toBe(0);
    expect(after.stdout).toContain('My board is served at https://b.example');
    expect(after.stdout).toContain('warning  server: the board is not running\n');
  });

  test('finds a board in the folder of its user', async ({ skip }) => {
    if (process.platform !== 'linux') return skip('the folder differs');
    if (existsSync('/var/lib/opbench')) return skip('that folder takes precedence');
    const { run } = aPackage();
    const HOME = aDataDir();
    const folder = join(HOME, '.local', 'share', 'opbench-board');
    const made = await run('login-link --new ada', { HOME });
    const listed = await run('submissions ada', { HOME });
    expect([made.status, listed.status]).toEqual([0, 0]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const { stdout } = await run('--version --json');
    expect(JSON.parse(stdout)).toMatchObject({ build: 'npm package' });
  });
});

/** Why a test of another user cannot run here; null if it can. */
function obstacle(): string | null {
  if (process.getuid?.() !== 0) return 'only root can become another user';
  const look = `require('fs').readdirSync(${JSON.stringify(ROOT)})`;
  const { status } = spawnSync(process.execPath, ['-e', look], { uid: OTHER, gid: OTHER });
  return status === 0 ? null : 'other users cannot read this checkout';
}

test('root works as the owner of the data folder, and leaves no files of its own in it', async ({
  skip,
}) => {
  const reason = obstacle();
  if (reason !== null) return skip(reason);
  const program = aPackage();
  const { cwd, run } = program;
  const [DATA_DIR, backups] = [aPublicFolder(), aPublicFolder()];
  for (const folder of [DATA_DIR, backups]) chownSync(folder, OTHER, OTHER);
  const secret = join(cwd, 'root.env');
  const port = await aFreePort();
  writeFileSync(secret, `DATA_DIR=${DATA_DIR}\nPORT=${port}\n`, { mode: 0o600 });
  const stop = await serving(program, ['--env-file', secret], { DATA_DIR });

  const doctor = await run(`doctor --offline --env-file ${secret}`);
  const link = await run('login-link --new ada', { DATA_DIR });
  const backup = await run(`backup ${join(backups, 'x.sqlite')}`, { DATA_DIR });
  const denied = await run(`backup ${join(cwd, 'x.sqlite')}`, { DATA_DIR });
  const init = await run(`init ${join(cwd, 'own')}`, { DATA_DIR });
  await stop();

  expect([doctor.status, link.status, backup.status, init.status]).toEqual([0, 0, 0, 0]);
  expect(doctor.stdout).toContain('ok       server: the board is running and ready');
  expect(link.stdout).toContain(`:${port}/`);
  expect(denied.status).toBe(2);
  expect(denied.stderr).toContain(`as the user with ID ${OTHER}, who owns the data folder`);
  const files = [DATA_DIR, backups].flatMap((folder) => {
    return readdirSync(folder).map((name) => join(folder, name));
  });
  expect(files).toContain(join(DATA_DIR, 'opbench.sqlite'));
  expect(files.filter((path) => statSync(path).uid !== OTHER)).toEqual([]);
  expect(statSync(join(cwd, 'own', 'board.toml')).uid).toBe(0);
});

test('a data folder of a newer version is left unchanged, in plain words', async () => {
  const ctx = testContext();
  execute(ctx, `INSERT INTO migrations VALUES ('9999-later.sql', '2030-01-01')`);
  ctx.store.close();
  const { run, cwd } = aPackage();
  const env = { DATA_DIR: ctx.config.dataDir, PORT: '0' };
  const served = await run('serve', env);
  const held = await run('held', env);
  const doctor = await run('doctor --offline', env);
  const backup = await run(`backup ${join(cwd, 'x.sqlite')}`, env);
  expect([served.status, held.status, doctor.status, backup.status]).toEqual([1, 1, 3, 0]);
  expect(served.stderr).toContain('was upgraded by a newer version of Opbench');
  expect(doctor.stdout).toContain('problem  database: it was created by a newer version');
  // A start that fails is not a crash.
  expect(doctor.stdout).toContain('warning  server: the board is not running\n');
});
