/** The entry point of `opbench`, the operator's command. */
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { INTERRUPTED } from './failure.ts';
import { runProgram } from '#core/cli/program.ts';
import { programAt } from './commands.ts';
import { withHome } from './settings.ts';
import { terminalOutput } from './terminal.ts';

if (isMainThread) await run();
else await import('./logs/thread.ts');

async function run(): Promise<void> {
  const place = {
    environment: withHome(process.env),
    nowMs: Date.now,
    file: fileURLToPath(import.meta.url),
  };
  const screen = terminalOutput(process, place.environment, place.file);
  process.stdout.on('error', ignoreClosedPipe);
  process.stderr.on('error', ignoreClosedPipe);
  process.once('SIGINT', () => {
    // Files are written atomically, so it is safe to stop at any time.
    screen.note('opbench: stopped. Run it again to continue. Nothing is lost or sent twice.');
    process.exit(INTERRUPTED);
  });
  process.exitCode = await runProgram(programAt(place), process.argv.slice(2), screen);
  screen.done();
}

/** A closed pipe, as with `opbench scan | head -1`, does not stop the command. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
