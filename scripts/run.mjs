import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { ROOT, childNode } from './runtime.mjs';

/**
 * Runs a program of an installed package.
 *
 * @param stdio `inherit` shows its output, `pipe` collects it.
 */
export function run(program, args, stdio) {
  const path = [join(ROOT, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
  const child = spawn(childNode(), [join(ROOT, 'node_modules', program), ...args], {
    cwd: ROOT,
    stdio: ['ignore', stdio, stdio],
    env: { ...process.env, PATH: path, ASTRO_TELEMETRY_DISABLED: '1' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => (output += text));
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ status: code ?? 1, output }));
  });
}

/** Runs tests of some projects, with their output shown; resolves to the exit code. */
export async function runTests(projects, more = []) {
  const chosen = projects.flatMap((name) => ['--project', name]);
  const args = ['run', '--config', '.config/vitest.config.ts', ...chosen, ...more];
  const { status } = await run('vitest/vitest.mjs', args, 'inherit');
  return status;
}
