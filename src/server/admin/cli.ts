#!/usr/bin/env node
/** Starts `opbench-board`, the admin CLI. Any Node can parse this file, so that an old one can be replaced. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Same as in `EXIT`, which an old Node cannot load. */
const STORAGE = 2;
/** Signals that are passed on to the process with the newer Node. */
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
const IS_WINDOWS = process.platform === 'win32';

let isLost = false;
process.stdout.on('error', reportLostOutput);
// If stderr cannot be written, there is nowhere to report it.
process.stderr.on('error', () => undefined);
await ensureNode();
const words = process.argv.slice(2);
// Before the program reads settings as root and becomes another user, who may not be able to read them again.
if (words.includes('serve') || words.includes('read')) {
  const { restartWithAllocator } = await import('#server/process/memory-settings.ts');
  restartWithAllocator();
}
const { runProgram } = await import('#core/cli/program.ts');
const { PROGRAM } = await import('./commands.ts');
const { terminalOf } = await import('./command.ts');
const code = await runProgram(PROGRAM, words, terminalOf(process));
process.exitCode ??= code;

/** Reports once that stdout cannot be written, for example to a full disk. A closed pipe is not an error. */
function reportLostOutput({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE' || isLost) return;
  isLost = true;
  process.exitCode = STORAGE;
  process.stderr.write(`opbench-board: The output cannot be written: ${message}\n`);
}

/**
 * If the running Node is too old for the database's native code, runs the program with the Node that npm installed
 * and never returns. Signals and the exit code are passed on.
 */
async function ensureNode(): Promise<void> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return;
  const platform = IS_WINDOWS ? 'win' : process.platform;
  const name = IS_WINDOWS ? 'node.exe' : 'node';
  const pinned = `../node_modules/node-${platform}-${process.arch}/bin/${name}`;
  const node = fileURLToPath(new URL(pinned, import.meta.url));
  if (!existsSync(node)) {
    process.stderr.write(
      `opbench-board: Node ${process.version} is too old. Install Node 22.19 or later.\n`,
    );
    process.exit(1);
  }
  await becomeChild(node);
}

/** Never resolves: this process exits when the other one does. */
function becomeChild(node: string): Promise<never> {
  // After `--`, Node leaves the program's own --env-file alone. Before it are options for Node, such as another one.
  const words = [...process.execArgv, '--', ...process.argv.slice(1)];
  const child = spawn(node, words, { stdio: 'inherit' });
  // Windows sends Ctrl+C to both processes, and would kill this one's child at once.
  const pass = (signal: NodeJS.Signals) => IS_WINDOWS || child.kill(signal);
  SIGNALS.forEach((signal) => process.on(signal, pass));
  return new Promise((_, reject) => {
    child.once('error', reject);
    child.once('exit', (status, signal) => {
      SIGNALS.forEach((each) => process.off(each, pass));
      if (signal) process.kill(process.pid, signal);
      else process.exit(status ?? 1);
    });
  });
}
