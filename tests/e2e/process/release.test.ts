/** The files of the npm package, with only the packages that it pins, are enough for a board. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { programFiles, runtimePackages } from '../../../scripts/release/files.mjs';
import { ROOT, aDataDir } from '#tests/support/board/context.ts';
import { HAS_SIGNALS, start } from '#tests/support/http/process.ts';
import { eventually } from '#tests/support/http/server.ts';

/** The program as npm installs it, in a separate folder. */
function anInstallation(): string {
  const folder = join(aDataDir(), 'opbench-board');
  const platform = `${process.platform}-${process.arch}`;
  const links = runtimePackages(platform).map(
    (name) => [name, join('node_modules', name)] as const,
  );
  for (const { path, bytes, mode } of programFiles()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes, { mode });
  }
  for (const [name, link] of links) {
    mkdirSync(dirname(join(folder, link)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, link), 'junction');
  }
  return folder;
}

/** Starts a program as the link does that npm creates. */
function startProgram(program: string, env: Record<string, string>) {
  if (process.platform === 'win32') return start(process.execPath, [program, 'serve'], env, '/');
  return start(program, ['serve'], env, '/');
}

test('a board runs with only the files of its release', async () => {
  const folder = anInstallation();
  const settings = {
    DATA_DIR: aDataDir(),
    HOST: '127.0.0.1',
    PORT: '0',
    BASE_URL: 'https://a.example',
  };
  const env = { PATH: dirname(process.execPath), ...settings };
  const { child, finished } = startProgram(join(folder, 'dist/opbench-board.mjs'), env);
  onTestFinished(() => void child.kill('SIGKILL'));
  let told = '';
  child.stdout?.on('data', (text: string) => (told += text));
  const port = () => / is running at http:\/\/127\.0\.0\.1:(\d+)\n/.exec(told)?.[1];
  await eventually(
    async () => port(),
    (found) => found !== undefined || child.exitCode !== null,
  );

  expect([child.exitCode, port()]).toEqual([null, expect.any(String)]);
  const ask = (path: string) => fetch(`http://127.0.0.1:${port()}${path}`);
  const answers = await Promise.all(
    ['/', '/open-graph.png', '/opbench.mjs', '/satellite/', '/docs/run'].map(ask),
  );
  child.kill('SIGTERM');
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const { status } = await finished;
  if (HAS_SIGNALS) expect(status).toBe(0);
});
