/** `opbench-board`, the keeper's command: what any Node can read of it. */
import { ensureNode } from './newer-node.ts';

/** As in `EXIT`, which an old Node cannot read. */
const STORAGE = 2;

let isLost = false;
process.stdout.on('error', tellLost);
// Where this cannot be written, nothing can be told.
process.stderr.on('error', () => undefined);
await ensureNode();
const { runCommand } = await import('./program.ts');
const code = await runCommand(process.argv.slice(2), process);
process.exitCode ??= code;

/** Whoever reads may stop reading; a disk that takes no more is told, once. */
function tellLost({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE' || isLost) return;
  isLost = true;
  process.exitCode = STORAGE;
  process.stderr.write(`opbench-board: the answer cannot be written: ${message}\n`);
}
