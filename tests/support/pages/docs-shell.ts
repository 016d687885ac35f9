/** Runs the examples of the documentation like a reader: in a shell, with both programs on the path. */
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXAMPLE_BOARD } from '#components/docs/docs-navigation.ts';
import { anInstallation, daysAgo, newCode } from '../agent/installation.ts';
import type { FullBoard } from '../http/contract-board.ts';
import { NODE_COMPILE_CACHE, type PreparedResponse, built, start } from '../http/process.ts';
import { type DocsFile, codeIn } from './docs-files.ts';

const COUNTS = { input: 10_000, output: 20_000, cache_write: 5_000, cache_read: 300_000 };

/** The code of a page's blocks marked `sh run`, in order. */
export function scriptOf(file: DocsFile): string {
  const blocks = codeIn(file).filter(({ lang, meta }) => lang === 'sh' && meta === 'run');
  return blocks.map(({ value }) => value).join('\n');
}

/**
 * Runs a script in an empty folder until its first command that fails. `opbench` reads two days of logs, and is
 * enrolled unless the script enrolls it. `opbench-board` works on the board.
 *
 * Variables: `CODE` (an enrollment code), `COOKIE` (of the signed-in operator), `TOKEN` (a device token for
 * `GET /api/v1/me`), `KEY` (an API key), and of the board `CODENAME` (a ranked operator), `SUBMISSION`, `CHALLENGE`.
 */
export async function runScript(script: string, board: FullBoard): Promise<PreparedResponse> {
  const { server, codename, receipt, challenge } = board;
  const device = anInstallation();
  device.logDay(daysAgo(1), COUNTS);
  device.logDay(daysAgo(2), COUNTS);
  const cookie = await server.signIn(`reader-${randomUUID().slice(0, 8)}`);
  const env = {
    HOME: device.home,
    PATH: `${await programsFor(board, device.home)}:${process.env['PATH']}`,
    CODE: await newCode(server.url, cookie),
    COOKIE: cookie,
    TOKEN: await board.tokenFor('GET', '/api/v1/me'),
    KEY: await server.aKey(),
    CODENAME: codename,
    SUBMISSION: receipt.id,
    CHALLENGE: challenge,
  };
  if (/^opbench /m.test(script) && !script.includes('opbench enroll')) {
    const code = await newCode(server.url, cookie);
    await device.run('enroll', code, '--board', server.url);
  }
  const text = script.replaceAll(EXAMPLE_BOARD, server.url);
  return start('bash', ['-euo', 'pipefail', '-v', '-c', text], env, device.home).finished;
}

/** A folder with both programs, where the operator's is the one that the board serves. */
async function programsFor({ server }: FullBoard, home: string): Promise<string> {
  const folder = join(home, 'programs');
  mkdirSync(folder);
  const agent = join(folder, 'opbench.mjs');
  writeFileSync(agent, await (await fetch(`${server.url}/opbench.mjs`)).text());
  const admin = { DATA_DIR: server.dataDir, BASE_URL: server.url };
  writeProgram(join(folder, 'opbench'), agent, {});
  writeProgram(join(folder, 'opbench-board'), built('opbench-board.mjs'), admin);
  return folder;
}

function writeProgram(path: string, file: string, env: Readonly<Record<string, string>>): void {
  const settings = Object.entries({ NODE_COMPILE_CACHE, ...env }).map(
    ([name, value]) => `${name}='${value}'`,
  );
  writeFileSync(
    path,
    `#!/bin/sh\nexec env ${settings.join(' ')} '${process.execPath}' '${file}' "$@"\n`,
  );
  chmodSync(path, 0o755);
}
