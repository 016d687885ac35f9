/** The installed npm, and versions of Node.js. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { whenOver } from '../board/cleanup.ts';
import { type PreparedResponse, type Started, start } from '../http/process.ts';

const PATH = (process.env['PATH'] ?? '').split(delimiter);

/** An empty folder that is deleted after the test, or after the file that shares it. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'opbench-npm-'));
  whenOver(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs npm or npx in a folder that is also its home, with an unreachable registry. */
export async function npm(
  script: 'npm' | 'npx',
  args: readonly string[],
  folder: string,
): Promise<PreparedResponse> {
  return startNpm(script, args, folder).finished;
}

/** Starts it, optionally with more variables and another working folder. */
export function startNpm(
  script: 'npm' | 'npx',
  args: readonly string[],
  home: string,
  { env = {}, cwd = home }: { env?: Readonly<Record<string, string>>; cwd?: string } = {},
): Started {
  const file = [process.env['npm_execpath'] ?? '', ...PATH.map((place) => join(place, 'npm'))]
    .filter((path) => existsSync(path))
    .map((path) => join(dirname(realpathSync(path)), `${script}-cli.js`))
    .find((path) => existsSync(path));
  if (file === undefined) throw new Error(`There is no ${script} on the PATH`);
  const whole = {
    HOME: home,
    PATH: [dirname(process.execPath), ...PATH].join(delimiter),
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_fetch_retries: '0',
    npm_config_update_notifier: 'false',
    ...env,
  };
  return start(process.execPath, [file, ...args], whole, cwd);
}

const NODE = process.platform === 'win32' ? 'node.exe' : 'node';

/** A folder with only `node` of a version; null if it is not installed. */
export function folderOfNode(major: string): string | null {
  const nodes = [process.execPath, ...PATH.map((place) => join(place, NODE))];
  const found = nodes.find((node) => existsSync(node) && majorOf(node) === major);
  if (found === undefined) return null;
  const folder = aFolder();
  symlinkSync(realpathSync(found), join(folder, NODE));
  return folder;
}

function majorOf(node: string): string | undefined {
  return /^v(\d+)/.exec(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout)?.[1];
}
