/** `opbench-board`, the admin CLI: what any Node can read of it. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** As in `EXIT`, which an old Node cannot read. */
const STORAGE = 2;
/** What ends a program, and what ends the one that runs in its place. */
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

let isLost = false;
process.stdout.on('error', tellLost);
// Where this cannot be written, nothing can be told.
process.stderr.on('error', () => undefined);
await ensureNode();
const { runProgram } = await import('#core/cli/program.ts');
const { PROGRAM } = await import('./commands.ts');
const { terminalOf } = await import('./command.ts');
const code = await runProgram(PROGRAM, process.argv.slice(2), terminalOf(process));
process.exitCode ??= code;

/** Whoever reads may stop reading; a disk that takes no more is told, once. */
function tellLost({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE' || isLost) return;
  isLost = true;
  process.exitCode = STORAGE;
  process.stderr.write(`opbench-board: the answer cannot be written: ${message}\n`);
}

/**
 * Goes on in the Node that npm installed beside this program if the running one is too old for the
 * database's native code; then nothing after it runs here. Signals and the exit code are passed on.
 */
async function ensureNode(): Promise<void> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return;
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const pinned = `../node_modules/node-${platform}-${process.arch}/bin/${name}`;
  const node = fileURLToPath(new URL(pinned, import.meta.url));
  if (!existsSync(node)) {
    process.stderr.write(`opbench-board needs Node 22.19 or later, not ${process.version}\n`);
    process.exit(1);
  }
  await becomeChild(node);
}

/** Never settles: this process ends with the other. */
function becomeChild(node: string): Promise<never> {
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
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
