/** Runs the command that the arguments of a program name, and returns its exit code. */
import { nearestName } from '#core/domain/text/nearest-name.ts';
import { plain, plainJson } from '#core/domain/text/terminal-text.ts';
import { type Given, type Options, type Takes, UsageError, readArguments } from './arguments.ts';
import { type SharedValues, takeShared } from './shared-options.ts';

/** The output of a program: results go to stdout, messages to stderr. */
export interface Terminal {
  print(text: string): void;
  note(text: string): void;
}

/** How a command prints its result. */
export interface Answers {
  /** Whether `--json` was given. */
  readonly isJson: boolean;
  /** Prints the result: `text` if there is any or, with `--json`, `data` as one line of JSON. */
  result(data: object, text?: string | (() => string)): void;
  /** Prints a part of the result as text. Prints nothing with `--json`. */
  part(text: string): void;
}

/** A command without subcommands, or one subcommand. */
export interface Action<
  Context = unknown,
  Out = Terminal,
  Taken extends Options = Options,
> extends Takes<Taken> {
  /** The help of a subcommand. Without it, the help of its command is printed. */
  help?: string;
  json?: string;
  run(given: Given<Taken>, output: Answers & Out, context: Context): number | Promise<number>;
}

/** What the first word after the program's name runs. */
export type Command<Context = unknown, Out = Terminal> = {
  /** Printed by `--help`: what the command does, usage, options, an example. */
  help: string;
  /** Printed by `--help --json`: the shape of the command's JSON. Without it, `help` is printed. */
  json?: string;
} & (
  | Action<Context, Out>
  | {
      actions: Readonly<Record<string, Action<Context, Out>>>;
      /** What the command does without a subcommand. */
      alone?: Action<Context, Out>;
    }
);

/** A program, and the context that its commands run in. */
export interface Program<Context, Out extends Terminal> {
  /** The text of `--version`, or of `--version --json`. */
  version: string | ((isJson: boolean) => string);
  overview(): string;
  commands: Readonly<Record<string, () => Command<Context, Out> | Promise<Command<Context, Out>>>>;
  contextOf(
    name: string,
    args: readonly string[],
    shared: SharedValues,
  ): Context | Promise<Context>;
  /** Prints what went wrong and returns the exit code. `name` is the command; empty if there is none. */
  explain(error: unknown, name: string, terminal: Out): number;
  /** Environment variables that people may mistake for options. */
  settings?: readonly string[];
  /** Options with a value that every command takes, before or after its name. Without dashes. */
  shared?: readonly string[];
  /** Commands of earlier versions, and what to use instead. */
  gone?: Readonly<Record<string, string>>;
}

/** Words that ask for help: any of them as the first word, those with dashes anywhere. */
const HELP = ['help', '--help', '-h'];
const VERSION = ['version', '--version', '-v'];

/** Runs the command that `words` name and returns its exit code. Errors are printed, never thrown. */
export async function runProgram<Context, Out extends Terminal>(
  program: Program<Context, Out>,
  words: readonly string[],
  terminal: Out,
): Promise<number> {
  let name = '';
  try {
    const { shared, others } = takeShared(words, program.shared);
    const [first = 'help', args] = withoutFirst(others);
    name = first;
    const text = await textFor(program, name, args);
    if (text !== null) {
      terminal.print(text);
      return 0;
    }
    const command = await commandNamed(program, name);
    const context = await program.contextOf(name, args, shared);
    return await perform({ name, command, args, settings: program.settings }, terminal, context);
  } catch (error) {
    const isKnown = Object.hasOwn(program.commands, name);
    return program.explain(error, isKnown ? name : '', terminal);
  }
}

/** The first word other than `--json`, and the remaining words. */
function withoutFirst(words: readonly string[]): [first: string | undefined, others: string[]] {
  const at = words.findIndex((word) => word !== '--json');
  return [words[at], words.filter((_, index) => index !== at)];
}

/** The version or a help text, if the words ask for one; otherwise null. */
async function textFor<Context, Out extends Terminal>(
  program: Program<Context, Out>,
  name: string,
  args: readonly string[],
): Promise<string | null> {
  if (VERSION.includes(name)) {
    const { version } = program;
    return typeof version === 'string' ? version : version(args.includes('--json'));
  }
  const isHelp = HELP.includes(name);
  const about = isHelp ? withoutFirst(args)[0] : name;
  if (about === undefined || HELP.includes(about)) return program.overview();
  const isAsked = isHelp || args.some((word) => word !== 'help' && HELP.includes(word));
  if (!isAsked) return null;
  const { help, json = help } = helpFor(await commandNamed(program, about), [name, ...args]);
  return args.includes('--json') ? json : help;
}

/** The help of a command, or of its subcommand if `words` name one that has its own. */
function helpFor<Context, Out extends Terminal>(
  command: Command<Context, Out>,
  words: readonly string[],
): Pick<Command, 'help' | 'json'> {
  if (!('actions' in command)) return command;
  const [, word = ''] = words.filter((each) => !HELP.includes(each) && each !== '--json');
  const action = Object.hasOwn(command.actions, word) ? command.actions[word] : undefined;
  return { ...command, ...action };
}

/** @throws {UsageError} if there is no such command. */
async function commandNamed<Context, Out extends Terminal>(
  { commands, gone = {} }: Program<Context, Out>,
  name: string,
): Promise<Command<Context, Out>> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load) return load();
  if (Object.hasOwn(gone, name)) throw new UsageError(`${name} was removed: ${gone[name]}`);
  throw new UsageError(`There is no command "${plain(name)}"`, meant(name, Object.keys(commands)));
}

function meant(typed: string, names: readonly string[]): string | null {
  const near = nearestName(typed, names);
  return near === null ? null : `Did you mean "${near}"?`;
}

/** A command and its arguments. */
export interface CommandCall<Context, Out> {
  name: string;
  command: Command<Context, Out>;
  args: readonly string[];
  settings?: readonly string[] | undefined;
}

/**
 * Reads the arguments of a command and runs it.
 *
 * @throws {UsageError} if the arguments are wrong. Errors of the command itself are passed on.
 */
export function perform<Context, Out extends Terminal>(
  { name, command, args, settings }: CommandCall<Context, Out>,
  terminal: Out,
  context: Context,
): number | Promise<number> {
  if ('actions' in command) {
    const [word = '', rest] = withoutFirst(args);
    const { actions, alone } = command;
    if (alone && (word === '' || word.startsWith('-'))) {
      return perform({ name, command: { help: '', ...alone }, args, settings }, terminal, context);
    }
    const action = Object.hasOwn(actions, word) ? actions[word] : undefined;
    if (!action) throw unknownAction(name, word, Object.keys(actions));
    const call = { name: `${name} ${word}`, command: { help: '', ...action }, args: rest };
    return perform({ ...call, settings }, terminal, context);
  }
  const given = readArguments(name, args, command, settings);
  return command.run(given, outputOf(terminal, given.isJson), context);
}

function unknownAction(command: string, word: string, names: readonly string[]): UsageError {
  const list = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  if (word === '') return new UsageError(`${command} takes ${list}`);
  const advice = meant(word, names) ?? `It takes ${list}`;
  return new UsageError(`${command} does not take "${plain(word)}"`, advice);
}

function outputOf<Out extends Terminal>(terminal: Out, isJson: boolean): Answers & Out {
  return {
    ...terminal,
    isJson,
    result(data, text) {
      if (isJson) terminal.print(plainJson(data));
      else if (text !== undefined) terminal.print(typeof text === 'string' ? text : text());
    },
    part(text) {
      if (!isJson) terminal.print(text);
    },
  };
}
