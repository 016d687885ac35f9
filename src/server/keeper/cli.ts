/** `opbench-board`, the keeper's command: what any Node can read of it. */
import { ensureNode } from './newer-node.ts';

process.stdout.on('error', ignoreClosedPipe);
process.stderr.on('error', ignoreClosedPipe);
await ensureNode();
const { runCommand } = await import('./program.ts');
process.exitCode = await runCommand(process.argv.slice(2), process);

/** Whoever reads may stop reading. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
