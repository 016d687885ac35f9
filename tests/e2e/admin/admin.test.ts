/** The built opbench-board as a process: serving, signals and its output. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { aDataDir, testContext } from '#tests/support/board/context.ts';
import { aFreePort } from '#tests/support/http/free-port.ts';
import { aFolder, folderOfNode, startNpm } from '#tests/support/agent/npm.ts';
import {
  type Started,
  HAS_SIGNALS,
  built,
  runBuilt,
  start,
  untilServing,
} from '#tests/support/http/process.ts';
import { eventually } from '#tests/support/http/server.ts';

const COMMAND = built('opbench-board.mjs');
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

async function aPlace() {
  const env = { DATA_DIR: aDataDir(), PORT: String(await aFreePort()), REFRESH_SECONDS: '0.5' };
  const isReady = async () => {
    const asked = fetch(`http://127.0.0.1:${env.PORT}/readyz`);
    return asked.then(
      ({ status }) => status === 200,
      () => false,
    );
  };
  return { env, isReady };
}

type Place = Awaited<ReturnType<typeof aPlace>>;

/** Stops a board with a signal, and waits until it is gone. */
async function stopped({ isReady }: Place, { child, finished }: Started, signal: NodeJS.Signals) {
  child.kill(signal);
  const ended = await finished;
  expect(await eventually(isReady, (is) => !is)).toBe(false);
  return ended;
}

describe('opbench-board serve', () => {
  test.runIf(HAS_SIGNALS)(
    'runs the server, in which doctor finds no problem, until a signal stops it',
    async () => {
      const place = await aPlace();
      const served = start(process.execPath, [COMMAND, 'serve'], place.env);
      await untilServing(served);
      const doctor = await runBuilt('opbench-board.mjs', ['doctor'], place.env);
      const ended = await stopped(place, served, 'SIGTERM');
      const after = await runBuilt('opbench-board.mjs', ['doctor', '--json'], place.env);

      expect([doctor.status, doctor.stderr]).toEqual([0, '']);
      expect(doctor.stdout).toContain('ok       server: the board is running and ready');
      expect(doctor.stdout).toMatch(/\n0 problems, 1 warning\n$/);
      const address = `http://127.0.0.1:${place.env.PORT}`;
      const [first, second] = ended.stdout.split('\n');
      expect([ended.status, first]).toEqual([0, `Opbench is running at ${address}`]);
      expect(second).toContain(`: ${address}/setup?token=`);
      expect(after.status).toBe(0);
      expect(after.stdout).toContain('"the board is not running"');
    },
  );

  // This Node is too old for the database, so another one runs the server and must receive the signals.
  test.runIf(HAS_SIGNALS)('stops properly with an old Node too', async ({ skip }) => {
    const old = folderOfNode('20');
    if (old === null) return skip('no Node 20 was found');
    const place = await aPlace();
    const served = start(join(old, 'node'), [COMMAND, 'serve'], place.env);
    await untilServing(served);
    expect((await stopped(place, served, 'SIGTERM')).status).toBe(0);
  });

  test.runIf(HAS_SIGNALS)('stops together with the npm that runs it', async () => {
    const place = await aPlace();
    const words = ['run', '-s', 'board', '--', 'serve'];
    const served = startNpm('npm', words, aFolder(), { env: place.env, cwd: ROOT });
    await untilServing(served);
    const { stderr } = await stopped(place, served, 'SIGTERM');
    expect(stderr).toContain('"event":"stopped"');
  });

  test('reports why it cannot start', async () => {
    const { env } = await aPlace();
    const wrong = await runBuilt('opbench-board.mjs', ['serve'], { ...env, PORT: 'http' });
    expect([wrong.status, wrong.stdout]).toEqual([1, '']);
    expect(wrong.stderr).toContain('opbench-board: The settings are invalid:\n  PORT: ');
    const words = await runBuilt('opbench-board.mjs', ['serve', '--port', '80'], env);
    expect([words.status, words.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^opbench-board: serve .* --port: set PORT .*opbench-board serve --help\n$/,
      ),
    ]);
  });
});

test('a closed stdout is not an error', async () => {
  const { child, finished } = start(process.execPath, [COMMAND, '--help'], {});
  child.stdout?.destroy();
  expect(await finished).toEqual({ status: 0, stdout: '', stderr: '' });
});

test.skipIf(process.platform !== 'linux')(
  'output to a full disk exits with 2 and prints one line',
  async () => {
    const { config, store } = testContext();
    store.close();
    const env = { DATA_DIR: config.dataDir };
    for (const words of ['audit', '--help', 'export']) {
      const script = `exec "$0" "$1" ${words} > /dev/full`;
      const { status, stderr } = await start('sh', ['-c', script, process.execPath, COMMAND], env)
        .finished;
      expect([words, status]).toEqual([words, 2]);
      const [message, ...more] = stderr.match(/^opbench-board: .*|^ +at .*/gm) ?? [];
      expect(message).toMatch(/output cannot be written: .*no space/);
      expect(more).toEqual([]);
    }
  },
);

test('an invalid database exits with 2, and doctor with 3, in plain words', async () => {
  const { env } = await aPlace();
  writeFileSync(join(env.DATA_DIR, 'opbench.sqlite'), 'x'.repeat(8_192));
  const held = await runBuilt('opbench-board.mjs', ['held'], env);
  const doctor = await runBuilt('opbench-board.mjs', ['doctor'], env);
  expect([held.status, held.stdout, doctor.status]).toEqual([2, '', 3]);
  expect(held.stderr).toMatch(/^opbench-board: .+\n$/);
  expect(doctor.stdout).toContain('problem  database: ');
});
