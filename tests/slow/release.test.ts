/** Builds the release twice, and runs the executable file and the image as an admin would. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ROOT, aDataDir } from '#tests/support/board/context.ts';
import { type Started, start } from '#tests/support/http/process.ts';
import { eventually } from '#tests/support/http/server.ts';

const RELEASE = join(ROOT, 'dist', 'release');
const PLATFORM = `${process.platform}-${process.arch}`;
const MEGABYTE = 1e6;

/** Builds a release, at a fixed time because a copy of the checkout has no commits. */
function release(folder: string, more: NodeJS.ProcessEnv = {}): void {
  const env = {
    ...process.env,
    ...more,
    SOURCE_DATE_EPOCH: '1795000000',
    OPBENCH_COMMIT: 'a'.repeat(40),
  };
  const result = spawnSync('npm', ['run', 'release'], { cwd: folder, encoding: 'utf8', env });
  if (result.status !== 0) throw new Error(result.stderr);
}

/** A copy of the checkout without anything that was built, in another folder. */
function aCheckout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'opbench-release-'));
  const tracked = spawnSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: ROOT, encoding: 'utf8' },
  ).stdout;
  for (const path of tracked.split('\0').filter((name) => existsSync(join(ROOT, name)))) {
    if (path !== '') cpSync(join(ROOT, path), join(folder, path));
  }
  spawnSync('cp', ['-r', join(ROOT, 'node_modules'), folder]);
  return folder;
}

const released = (ending: string) => {
  const name = readdirSync(RELEASE).find((file) => file.endsWith(ending));
  if (!name) throw new Error(`dist/release has no file that ends with ${ending}`);
  return join(RELEASE, name);
};

describe.skipIf(PLATFORM !== 'linux-x64')('the release', () => {
  beforeAll(() => release(ROOT));

  test('has the same bytes when it is built again, in another folder and environment', () => {
    const other = aCheckout();
    onTestFinished(() => rmSync(other, { recursive: true }));
    release(other, { CI: 'another', data: 'a secret' });
    const sums = (folder: string) => readFileSync(join(folder, 'dist/release/SHA256SUMS'), 'utf8');

    expect(sums(other)).toBe(sums(ROOT));
    const check = spawnSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: RELEASE });
    expect(check.status).toBe(0);
  });

  test('is as small as promised', () => {
    const sizeOf = (ending: string) => statSync(released(ending)).size / MEGABYTE;

    expect(sizeOf('-linux-x64')).toBeLessThan(130);
    expect(sizeOf('-linux-arm64')).toBeLessThan(130);
    expect(sizeOf('.tgz')).toBeLessThan(5);
  });

  test('does not name the folder in which it was built', () => {
    for (const ending of ['-linux-x64', '-linux-arm64', '.tgz', 'sbom.cdx.json']) {
      expect(readFileSync(released(ending)).includes(ROOT)).toBe(false);
    }
  });
});

/** Waits for the first page. */
async function portOf({ child }: Started): Promise<string> {
  let told = '';
  child.stdout?.on('data', (text: string) => (told += text));
  child.stderr?.on('data', (text: string) => (told += text));
  const port = () => / is running at http:\/\/[^:]+:(\d+)\n/.exec(told)?.[1];
  await eventually(
    async () => port(),
    (found) => found !== undefined || child.exitCode !== null,
  );
  return port() ?? `ended with ${child.exitCode}: ${told}`;
}

const PAGES = ['/', '/open-graph.png', '/opbench.mjs', '/docs/run'];
const statuses = async (port: string) => {
  const answers = PAGES.map((path) => fetch(`http://127.0.0.1:${port}${path}`));
  return (await Promise.all(answers)).map(({ status }) => status);
};

describe.skipIf(PLATFORM !== 'linux-x64')('the executable file', () => {
  const board = (env: Record<string, string>) => {
    const all = { DATA_DIR: aDataDir(), PORT: '0', OPBENCH_CACHE_DIR: aDataDir(), ...env };
    const started = start(released('-linux-x64'), ['serve'], all, '/');
    onTestFinished(() => void started.child.kill('SIGKILL'));
    return started;
  };

  test('runs a board, and ends on SIGTERM', async () => {
    const started = board({});

    expect(await statuses(await portOf(started))).toEqual([200, 200, 200, 200]);
    started.child.kill('SIGTERM');
    expect((await started.finished).status).toBe(0);
  });

  test('reports a missing settings file itself, in place of Node', async () => {
    const words = ['held', '--env-file', '/none'];
    const env = { OPBENCH_CACHE_DIR: aDataDir() };
    const { status, stderr } = await start(released('-linux-x64'), words, env, '/').finished;

    expect([status, stderr]).toEqual([1, 'opbench-board: --env-file: /none does not exist\n']);
  });

  test('several unpack at the same time', async () => {
    const shared = { OPBENCH_CACHE_DIR: aDataDir() };
    const ports = await Promise.all([1, 2, 3].map(() => portOf(board(shared))));

    expect(ports).toEqual(ports.map(() => expect.stringMatching(/^\d+$/) as unknown));
    expect(
      readdirSync(shared.OPBENCH_CACHE_DIR).filter((name) => name !== 'compiled'),
    ).toHaveLength(1);
  });

  test('survives being killed while it unpacks', async () => {
    const cache = { OPBENCH_CACHE_DIR: aDataDir() };
    for (const delayMs of [20, 60, 100, 140]) {
      const { status } = spawnSync(released('-linux-x64'), ['--version'], {
        env: cache,
        timeout: delayMs,
        killSignal: 'SIGKILL',
      });
      expect([0, null]).toContain(status);
    }

    expect(await statuses(await portOf(board(cache)))).toEqual([200, 200, 200, 200]);
  });

  test('names the folder that it cannot write', () => {
    const { status, stderr } = spawnSync(released('-linux-x64'), ['--version'], {
      env: { OPBENCH_CACHE_DIR: join(ROOT, 'package.json', 'x') },
      encoding: 'utf8',
    });

    expect(status).toBe(1);
    expect(stderr).toContain('Set OPBENCH_CACHE_DIR to a folder with');
    expect(stderr).not.toContain('    at ');
  });

  test('a damaged download does not start', () => {
    const copy = join(aDataDir(), 'opbench-board');
    cpSync(released('-linux-x64'), copy);
    const bytes = readFileSync(copy);
    spawnSync('truncate', ['-s', String(bytes.length - 5_000_000), copy]);
    chmodSync(copy, 0o755);

    expect(
      spawnSync(copy, ['--version'], { env: { OPBENCH_CACHE_DIR: aDataDir() } }).status,
    ).not.toBe(0);
  });
});

/** Only root can hide the cgroups of the machine from Podman. */
const hasPodman = process.getuid?.() === 0 && spawnSync('podman', ['--version']).status === 0;

/** Podman's options for a container that may write only its data. */
const CONTAINER = ['--rm', '--pull=never', '--network=host', '--cgroups=disabled', '--read-only'];
const LIMITS = ['--ulimit=nofile=1024:1024', '--ulimit=nproc=1024:1024'];

describe.skipIf(PLATFORM !== 'linux-x64' || !hasPodman)('the image', () => {
  const root = mkdtempSync(join(tmpdir(), 'opbench-podman-'));
  // Without version 2 of cgroups, which crun rejects where version 1 is in use.
  const podman = (...words: string[]) => {
    const line = `umount /sys/fs/cgroup/unified 2>/dev/null; exec podman --root ${root}/store --runroot ${root}/run --runtime crun "$@"`;
    return ['-m', 'sh', '-c', line, 'podman', ...words];
  };
  const run = (...words: string[]) => {
    const result = spawnSync('unshare', podman(...words), { encoding: 'utf8' });
    return { ...result, text: result.stdout + result.stderr };
  };
  let image = '';

  beforeAll(() => {
    const { text } = run('load', '--quiet', '--input', released('-image.tar'));
    image = /Loaded image: (\S+)/.exec(text)?.[1] ?? text;
  });
  afterAll(() => {
    run('rmi', '--force', '--all');
    rmSync(root, { recursive: true, force: true });
  });

  test('is as small as promised, and belongs to no privileged user', () => {
    const { stdout } = run('image', 'inspect', image, '--format', '{{.Size}} {{.Config.User}}');
    const [size = '', user] = stdout.trim().split(' ');

    expect(Number(size) / MEGABYTE).toBeLessThan(180);
    expect(user).toBe('1000:1000');
  });

  test('runs a board with a read-only root folder', async () => {
    const data = join(aDataDir(), 'data');
    mkdirSync(data, { mode: 0o777 });
    chmodSync(data, 0o777);
    const settings = ['PORT=0', 'HOST=127.0.0.1'].flatMap((setting) => ['--env', setting]);
    const words = ['run', ...CONTAINER, ...LIMITS, ...settings, `--volume=${data}:/data`, image];
    const { PATH = '' } = process.env;
    const started = start('unshare', podman(...words), { PATH, HOME: root });
    onTestFinished(() => void started.child.kill('SIGKILL'));

    expect(await statuses(await portOf(started))).toEqual([200, 200, 200, 200]);
    started.child.kill('SIGTERM');
    expect((await started.finished).status).toBe(0);
  });
});
