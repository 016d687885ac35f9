/** `opbench`, the operator's command: arguments in, one step of the loop, text out. */
import { fileURLToPath } from 'node:url';
import { COMMANDS, overview } from './commands.ts';
import type { Output } from './command.ts';
import { EXIT, Failure, INTERRUPTED } from './failure.ts';
import { terminalOutput } from './terminal.ts';
import { plain } from './text/plain.ts';
import { VERSION } from './version.ts';

const output = terminalOutput(process, process.env);
process.stdout.on('error', ignoreClosedPipe);
process.stderr.on('error', ignoreClosedPipe);
process.once('SIGINT', stop);
process.exitCode = await run(process.argv.slice(2), output);
output.done();

async function run([name = '--help', ...args]: string[], { result }: Output): Promise<number> {
  if (name === '--version') return say(VERSION);
  if (['--help', '-h', 'help'].includes(name)) return say(overview());
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    if (!command) throw new Failure(EXIT.usage, `There is no command "${plain(name)}"`);
    if (args.includes('--help') || args.includes('-h')) return say((await command.load()).help);
    const file = fileURLToPath(import.meta.url);
    return await command.run({ environment: process.env, nowMs: Date.now, file }, args, output);
  } catch (error) {
    return explain(error);
  }

  function say(text: string): number {
    result(text);
    return EXIT.ok;
  }
}

/** Whoever reads may stop reading; the work goes on. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** Every file is written whole or not at all, so stopping is safe anywhere. */
function stop(): void {
  output.note('opbench: stopped. Nothing is lost or sent twice: run it again to go on.');
  process.exit(INTERRUPTED);
}

function explain(error: unknown): number {
  if (!(error instanceof Failure)) {
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
    output.note(`opbench: this is a fault of opbench itself\n${cause}`);
    return EXIT.usage;
  }
  output.note(`opbench: ${plain(error.message)}`);
  if (error.hint !== null) output.note(plain(error.hint));
  return error.exitCode;
}
