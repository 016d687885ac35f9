/** The admin CLI next to a server whose PORT is not set in the CLI's shell. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HAS_SIGNALS, runBuilt } from '#tests/support/http/process.ts';
import { startServer } from '#tests/support/http/server.ts';
import { expectMode } from '#tests/support/board/file-mode.ts';

test('finds the server, and explains why there is none after kill -9', async () => {
  const server = await startServer();
  const { dataDir: DATA_DIR, url } = server;
  const note = join(DATA_DIR, 'server.json');
  const admin = (...words: string[]) => runBuilt('opbench-board.mjs', words, { DATA_DIR });
  const serverText = async () => {
    const { stdout } = await admin('doctor', '--offline', '--json');
    const { checks, problems } = JSON.parse(stdout) as {
      checks: { about: string; text: string }[];
      problems: number;
    };
    return [problems, checks.find(({ about }) => about === 'server')?.text];
  };

  const link = await admin('login-link', '--new', 'ada');
  expect(await serverText()).toEqual([0, `the board is running and ready (${url}/readyz)`]);
  expect(link.stdout).toMatch(new RegExp(`^${url}/login/link\\?token=`));
  expectMode(note, 0o600);
  const { pid } = JSON.parse(readFileSync(note, 'utf8')) as { pid: number };

  await server.stop('SIGKILL');
  expect(await serverText()).toEqual([
    0,
    expect.stringContaining(`not running: the last server (process ${pid}, started 20`),
  ]);

  const next = await startServer({ dataDir: DATA_DIR });
  expect(existsSync(note)).toBe(true);
  await next.stop();
  if (HAS_SIGNALS) expect(existsSync(note)).toBe(false);
  expect(await serverText()).toEqual([0, 'the board is not running']);
});
