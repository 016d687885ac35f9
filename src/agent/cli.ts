/** `opbench`, the operator's command: arguments in, one step of the loop, text out. */
import { COMMANDS, HELP } from './commands.ts';
import { Client } from './client.ts';
import { EXIT, Failure } from './failure.ts';
import { Keystore } from './keystore.ts';
import { plain } from './print.ts';
import { stateFolder } from './settings.ts';
import { VERSION } from './version.ts';

process.stdout.on('error', ignoreClosedPipe);
process.stderr.on('error', ignoreClosedPipe);
process.exitCode = await run(process.argv.slice(2));

async function run([name = '--help', ...args]: string[]): Promise<number> {
  if (name === '--version') return say(VERSION);
  if (['--help', '-h', 'help'].includes(name)) return say(HELP);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    if (!command) throw new Failure(EXIT.usage, `There is no command "${plain(name)}"`);
    if (args.includes('--help') || args.includes('-h')) return say(command.help);
    const device = {
      keystore: new Keystore(stateFolder(process.env)),
      client: new Client(fetch, Date.now),
      environment: process.env,
      nowMs: Date.now,
    };
    return await command.run(device, args, {
      result: (text) => void say(text),
      note: (text) => void process.stderr.write(`${text}\n`),
    });
  } catch (error) {
    return explain(error);
  }
}

/** Whoever reads may stop reading; the work goes on. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

function say(text: string): number {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  return EXIT.ok;
}

function explain(error: unknown): number {
  if (!(error instanceof Failure)) {
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`opbench: this is a fault of opbench itself\n${cause}\n`);
    return EXIT.usage;
  }
  process.stderr.write(`opbench: ${plain(error.message)}\n`);
  if (error.hint !== null) process.stderr.write(`${plain(error.hint)}\n`);
  return error.exitCode;
}
