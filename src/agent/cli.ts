/** The entry point of `opbench`, the operator's command. */
import { fileURLToPath } from 'node:url';
import { INTERRUPTED } from './failure.ts';
import { runProgram } from '#core/cli/program.ts';
import { programAt } from './commands.ts';
import { withHome } from './settings.ts';
import { terminalOutput } from './terminal.ts';

const place = {
  environment: withHome(process.env),
  nowMs: Date.now,
  file: fileURLToPath(import.meta.url),
};
const screen = terminalOutput(process, place.environment, place.file);
process.stdout.on('error', ignoreClosedPipe);
process.stderr.on('error', ignoreClosedPipe);
process.once('SIGINT', stop);
process.exitCode = await runProgram(programAt(place), process.argv.slice(2), screen);
screen.done();

/** A closed pipe, as with `opbench scan | head -1`, does not stop the command. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** Files are written atomically, so it is safe to stop at any time. */
function stop(): void {
  screen.note('opbench: stopped. Run it again to continue. Nothing is lost or sent twice.');
  process.exit(INTERRUPTED);
}
