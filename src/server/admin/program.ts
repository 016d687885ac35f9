/** `opbench-board` without a process: arguments in, one command, words out. */
import { nearestName } from '#core/domain/text/nearest-name.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import { type Command, EXIT, type ExitCode, outputTo } from './command.ts';
import { COMMANDS } from './commands.ts';
import { explain } from './explain.ts';
import { overview } from './overview.ts';
import { UsageError } from './usage-error.ts';
import { VERSION } from './version.ts';

/** What asks for help: as the first word or, with dashes, any after it. */
const HELP = ['help', '--help', '-h'];
const JSON_OPTION = '--json';

type Streams = Parameters<typeof outputTo>[0];

/** Runs the command that `words` name; what goes wrong is said, never thrown. */
export async function runCommand(words: readonly string[], streams: Streams): Promise<ExitCode> {
  const { isJson, rest } = withoutJson(words);
  const [name = 'help', ...args] = rest;
  const output = outputTo(streams, isJson);
  const say = (text: string) => {
    outputTo(streams, false).result({}, text);
    return EXIT.ok;
  };
  try {
    if (['--version', '-v', 'version'].includes(name)) return say(VERSION);
    if (HELP.includes(name)) return say(helpOf(args[0]));
    const command = commandNamed(name);
    if (args.some((word) => HELP.slice(1).includes(word))) return say(command.help);
    return await command.run(args, output);
  } catch (error) {
    return explain(error, Object.hasOwn(COMMANDS, name) ? name : '', output);
  }
}

/** The words before `--`, which ends options, without the one that every command takes. */
function withoutJson(words: readonly string[]): { isJson: boolean; rest: string[] } {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const options = words.slice(0, end).filter((word) => word !== JSON_OPTION);
  return { isJson: options.length < end, rest: [...options, ...words.slice(end)] };
}

function helpOf(name: string | undefined): string {
  return name === undefined || HELP.includes(name) ? overview() : commandNamed(name).help;
}

/** @throws {UsageError} if there is none. */
function commandNamed(name: string): Command {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command) return command;
  const near = nearestName(name, Object.keys(COMMANDS));
  const meant = near === null ? '' : `. Did you mean "${near}"?`;
  throw new UsageError(`There is no command "${plain(name)}"${meant}`);
}
