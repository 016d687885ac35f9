import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { delimiter, join } from 'node:path';
import { ROOT, childNode } from './runtime.mjs';

/**
 * Runs a program of an installed package and collects its output.
 *
 * @param isShown Whether to show its output at once.
 * @param isPatient Whether to run it with low priority.
 */
export function run(program, args, { isShown = false, isPatient = false } = {}) {
  const path = [join(ROOT, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
  const child = spawn(childNode(), [join(ROOT, 'node_modules', program), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: path, ASTRO_TELEMETRY_DISABLED: '1' },
  });
  process.once('exit', () => child.kill());
  if (isPatient && child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
      if (isShown) process.stdout.write(text);
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ status: code ?? 1, output }));
  });
}

/** Runs the tests of Vitest projects. */
export function runTests(projects, { more = [], ...options } = {}) {
  const chosen = projects.flatMap((name) => ['--project', name]);
  const args = ['run', '--config', '.config/vitest.config.ts', ...chosen, ...more];
  return run('vitest/vitest.mjs', args, options);
}
