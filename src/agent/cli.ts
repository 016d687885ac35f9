/** `opbench`, the operator's command: arguments in, one step of the loop, text out. */
import { fileURLToPath } from 'node:url';
import { nearestName } from '#core/domain/text/nearest-name.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import { COMMAND_NAMES } from './command-names.ts';
import { COMMANDS, type Entry, overview } from './commands.ts';
import type { Output } from './command.ts';
import { EXIT, Failure, INTERRUPTED } from './failure.ts';
import { installedCommand } from './kept/copy.ts';
import { terminalOutput } from './terminal.ts';
import { failureLines } from './text/failure.ts';
import { VERSION } from './version.ts';

/** What asks for help, as the first word or, with dashes, any after it. */
const HELP = ['help', '--help', '-h'];
const FILE = fileURLToPath(import.meta.url);
const output = terminalOutput(process, process.env, FILE);
process.stdout.on('error', ignoreClosedPipe);
process.stderr.on('error', ignoreClosedPipe);
process.once('SIGINT', stop);
process.exitCode = await run(process.argv.slice(2), output);
output.done();

async function run([name = '--help', ...args]: string[], { result }: Output): Promise<number> {
  const environment = process.env;
  if (['--version', '-v', 'version'].includes(name)) return say(VERSION);
  try {
    if (HELP.includes(name)) return say(await helpOf(args[0]));
    const command = commandNamed(name);
    if (args.some((word) => HELP.slice(1).includes(word))) return say(await helpOf(name));
    return await command.run({ environment, nowMs: Date.now, file: FILE }, args, output);
  } catch (error) {
    return explain(error);
  }

  function say(text: string): number {
    result(text);
    return EXIT.ok;
  }
}

/** That of one command, or of all. */
async function helpOf(name: string | undefined): Promise<string> {
  if (name === undefined || HELP.includes(name)) return overview(installedCommand(process.env));
  return (await commandNamed(name).load()).help;
}

/** @throws {Failure} `usage` if there is none. */
function commandNamed(name: string): Entry {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name as keyof typeof COMMANDS] : null;
  if (command) return command;
  const near = nearestName(name, COMMAND_NAMES);
  const meant = near === null ? '' : `Did you mean "${near}"? `;
  const hint = `${meant}opbench --help lists the commands.`;
  throw new Failure(EXIT.usage, `There is no command "${plain(name)}"`, hint);
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
  failureLines(error).forEach(output.note);
  return error.exitCode;
}
