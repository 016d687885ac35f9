/** The files that the Dockerfile copies are enough for a board. */
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { aDataDir } from '#tests/support/board/context.ts';
import { built, start } from '#tests/support/http/process.ts';
import { eventually } from '#tests/support/http/server.ts';

const ROOT = resolve(dirname(built('x')), '..');

/** The last stage's files, and the packages that are not tools, in a separate folder. */
function anImage(): string {
  const folder = join(aDataDir(), 'opbench');
  const stages = readFileSync(join(ROOT, 'scripts/deploy/Dockerfile'), 'utf8').split(/^FROM /m);
  const copies = [...(stages.at(-1) ?? '').matchAll(/^COPY (?:--from=build )?(\S.*) (\S+)$/gm)];
  for (const [, sources = '', to = ''] of copies.filter(
    ([line]) => !/=packages|chmod/.test(line),
  )) {
    for (const source of sources.split(' ')) {
      const from = source.replace('/opbench/', '');
      cpSync(join(ROOT, from), join(folder, to === './' ? from : to), { recursive: true });
    }
  }
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: { '': { dependencies: Record<string, string> } };
  };
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  for (const name of Object.keys(lock.packages[''].dependencies)) {
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  }
  return folder;
}

test('a board runs with only the files of its image', async () => {
  const folder = anImage();
  const env = { DATA_DIR: aDataDir(), HOST: '127.0.0.1', PORT: '0', BASE_URL: 'https://a.example' };
  const words = [join(folder, 'dist/opbench-board.mjs'), 'serve'];
  const { child, finished } = start(process.execPath, words, env, folder);
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
    ['/', '/open-graph.png', '/opbench.mjs', '/satellite/'].map(ask),
  );
  child.kill('SIGTERM');
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await finished).status).toBe(0);
});
