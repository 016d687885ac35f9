/** `opbench`, the operator's command: arguments in, one step of the loop, text out. */
import { fileURLToPath } from 'node:url';
import { INTERRUPTED } from './failure.ts';
import { runProgram } from '#core/cli/program.ts';
import { programAt } from './commands.ts';
import { terminalOutput } from './terminal.ts';

const place = {
  environment: process.env,
  nowMs: Date.now,
  file: fileURLToPath(import.meta.url),
};
const screen = terminalOutput(process, place.environment, place.file);
process.stdout.on('error', ignoreClosedPipe);
process.stderr.on('error', ignoreClosedPipe);
process.once('SIGINT', stop);
process.exitCode = await runProgram(programAt(place), process.argv.slice(2), screen);
screen.done();

/** Whoever reads may stop reading; the work goes on. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** Every file is written whole or not at all, so stopping is safe anywhere. */
function stop(): void {
  screen.note('opbench: stopped. Nothing is lost or sent twice: run it again to go on.');
  process.exit(INTERRUPTED);
}
