/** Reads the arguments of a command, from a table of the options that it takes. */
import { parseArgs } from 'node:util';
import { plain } from '#core/domain/text/terminal-text.ts';

/** The arguments of a command are wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** What to type instead; null if the message is enough. */
  readonly advice: string | null;

  constructor(message: string, advice: string | null = null) {
    super(message);
    this.advice = advice;
  }
}

/**
 * The kind of an option: without a value (`flag`), with an optional value (`text`), with a required value
 * (`needed`), or with a value that a function parses. The function receives the text and the option's name, and
 * throws a {@linkcode UsageError} for an invalid text. An option that is `gone` is rejected with the name of its
 * replacement.
 */
export type Option = 'flag' | 'needed' | 'text' | { gone: string } | ReadOption;
/** `known` are values that a shell can complete. */
type ReadOption = ((text: string, option: string) => unknown) & { known?: readonly string[] };
export type Options = Readonly<Record<string, Option>>;

/** The arguments that a command takes. */
export interface Takes<Taken extends Options = Options> {
  options?: Taken;
  /** The one positional argument, as the help writes it: `FILE`, or `[FILE]` if it is optional. */
  word?: string;
  /** The highest number of positional arguments, for a command that checks them itself. */
  words?: number;
  /** The known words for each positional argument, which a shell can complete. */
  choices?: readonly (readonly string[])[];
  /** Whether the command prints no result and so does not take `--json`. */
  isMute?: boolean;
}

type Value<Taken> = Taken extends 'flag'
  ? boolean
  : Taken extends 'needed'
    ? string
    : Taken extends 'text'
      ? string | undefined
      : Taken extends (text: string, option: string) => infer Read
        ? Read | undefined
        : never;

/** The parsed arguments of a command. */
export interface Given<Taken extends Options = Options> {
  values: { [Name in keyof Taken]: Value<Taken[Name]> };
  words: string[];
  /** The first positional argument; empty if there is none. */
  word: string;
  isJson: boolean;
}

interface Reading {
  command: string;
  args: readonly string[];
  takes: Takes;
  /** Environment variables that people may mistake for options. */
  settings: readonly string[];
}

/**
 * Reads the arguments of a command.
 *
 * @param command The command's name, for error messages.
 * @param settings Environment variables that people may mistake for options.
 * @throws {UsageError} if an argument is unknown, invalid or missing.
 */
export function readArguments<Taken extends Options>(
  command: string,
  args: readonly string[],
  takes: Takes<Taken>,
  settings: readonly string[] = [],
): Given<Taken> {
  const options = optionsOf(takes);
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(options).map(([name, option]) => {
        return [name, { type: isAlone(option) ? 'boolean' : 'string' } as const];
      }),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const reading: Reading = { command, args, takes, settings };
  for (const token of tokens) if (token.kind === 'option') refuseOption(token, reading);
  if (takes.isMute && values['json'] === true) {
    throw new UsageError(`${command} prints no result, so it does not take --json`);
  }
  refuseWords(positionals, reading);
  return {
    values: readValues(values as Texts, reading) as Given<Taken>['values'],
    words: positionals,
    word: positionals[0] ?? '',
    isJson: values['json'] === true,
  };
}

function optionsOf({ options = {} }: Takes): Options {
  return { ...options, json: 'flag' };
}

function isAlone(option: Option): boolean {
  return option === 'flag' || typeof option === 'object';
}

type Texts = Readonly<Record<string, string | true | undefined>>;

/** @throws {UsageError} naming every missing and every invalid option. */
function readValues(given: Texts, { command, takes }: Reading): Record<string, unknown> {
  const options = Object.entries(optionsOf(takes));
  const missing = options.flatMap(([name, option]) => {
    return option === 'needed' && given[name] === undefined ? [`--${name}`] : [];
  });
  const faults = missing.length > 0 ? [`${command} needs ${missing.join(', ')}`] : [];
  const values = options.map(([name, option]) => {
    try {
      return [name, valueOf(option, name, given[name])];
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      faults.push(error.message);
      return [name];
    }
  });
  if (faults.length > 0) throw new UsageError(faults.join('; '));
  return Object.fromEntries(values) as Record<string, unknown>;
}

function valueOf(option: Option, name: string, given: string | true | undefined): unknown {
  if (option === 'flag') return given === true;
  return typeof option === 'function' && typeof given === 'string' ? option(given, name) : given;
}

interface OptionToken {
  name: string;
  rawName: string;
  value?: string | undefined;
  inlineValue?: boolean | undefined;
}

function refuseOption(token: OptionToken, reading: Reading): void {
  const { name, rawName, value } = token;
  const options = optionsOf(reading.takes);
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined || !rawName.startsWith('--')) throw unknownOption(rawName, reading);
  if (typeof option === 'object') {
    throw new UsageError(`${reading.command} ${rawName} was removed: ${option.gone}`);
  }
  if (option === 'flag') {
    if (value !== undefined) throw refused(reading, `takes no value with ${rawName}`);
    return;
  }
  if (!isValue(token, option)) throw refused(reading, `needs a value after ${rawName}`);
}

/** Whether a token has a value. Text that looks like an option is not one, except a negative number. */
function isValue({ value = '', inlineValue }: OptionToken, option: Option): boolean {
  // A parsing function reports an empty value itself.
  if (inlineValue === true) return value !== '' || typeof option === 'function';
  return value !== '' && !/^--?[a-z]/i.test(value);
}

function unknownOption(rawName: string, reading: Reading): UsageError {
  // For letters after one dash, `parseArgs` reports only the first. Show the word as it was typed.
  const word = reading.args.find((each) => each.startsWith(rawName)) ?? rawName;
  const typed = plain(word.replace(/=.*/s, ''));
  const setting = typed.replace(/^-+/, '').replaceAll('-', '_').toUpperCase();
  if (reading.settings.includes(setting)) {
    const instead = `set ${setting} in the environment`;
    return new UsageError(`${reading.command} does not take ${typed}: ${instead}`);
  }
  return refused(
    reading,
    /^-\d/.test(typed) ? `does not take a negative number: ${typed}` : `does not take ${typed}`,
  );
}

function refuseWords(words: readonly string[], reading: Reading): void {
  const { word, words: most = word === undefined ? 0 : 1 } = reading.takes;
  const surplus = words[most];
  if (surplus !== undefined) throw refused(reading, `does not take "${plain(surplus)}"`);
  if (word === undefined) return;
  if (words.includes('') || (words.length === 0 && !word.startsWith('['))) {
    throw new UsageError(`${reading.command} takes ${listOf(reading.takes)}`);
  }
}

function refused({ command, takes }: Reading, what: string): UsageError {
  return new UsageError(`${command} ${what}`, `It takes ${listOf(takes)}`);
}

function listOf({ options = {}, word, isMute }: Takes): string {
  const parts = Object.entries(options).flatMap(([name, option]) => {
    return typeof option === 'object' ? [] : [`--${name}`];
  });
  if (!isMute) parts.push('--json');
  if (word?.startsWith('[')) parts.unshift(`one ${word.slice(1, -1)} at most`);
  else if (word !== undefined) parts.unshift(`one ${word}`);
  const last = parts.pop() ?? 'nothing more';
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}

/** An option that takes a whole number from `least` to `most`. */
export function wholeNumber(least: number, most: number) {
  return (text: string, option: string): number => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new UsageError(`--${option} takes a whole number from ${least} to ${most}`);
  };
}

/** An option that takes one of these words. */
export function oneOf<Word extends string>(known: readonly Word[]) {
  const read = (text: string, option: string): Word => {
    const word = known.find((each) => each === text);
    if (word !== undefined) return word;
    throw new UsageError(`--${option} takes one of ${known.join(', ')}`);
  };
  return Object.assign(read, { known });
}
