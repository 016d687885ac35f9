/** The arguments of a command, read by a table of what it takes. */
import { parseArgs } from 'node:util';
import { plain } from '#core/domain/text/terminal-text.ts';

/** The command was called wrongly. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** What to type instead; null where the message says all. */
  readonly advice: string | null;

  constructor(message: string, advice: string | null = null) {
    super(message);
    this.advice = advice;
  }
}

/**
 * How an option is given: alone (`flag`), with a text, with one that the command cannot do without (`needed`),
 * or with a text that a function reads. The function gets the option's name, and may refuse the text.
 * An option that is `gone` is refused, and says what does it now.
 */
type Option =
  'flag' | 'needed' | 'text' | { gone: string } | ((text: string, option: string) => unknown);
export type Options = Readonly<Record<string, Option>>;

/** What a command takes. */
export interface Takes<Taken extends Options = Options> {
  options?: Taken;
  /** The word besides the options, as the help writes it: `FILE`, or `[FILE]` where it may be left out. */
  word?: string;
  /** The most words of a command that reads them itself. */
  words?: number;
  /** Whether it prints no result, and so does not take `--json`. */
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

/** What a command was given. */
export interface Given<Taken extends Options = Options> {
  values: { [Name in keyof Taken]: Value<Taken[Name]> };
  words: string[];
  /** The first word; empty if there is none. */
  word: string;
  isJson: boolean;
}

interface Reading {
  command: string;
  args: readonly string[];
  takes: Takes;
  /** Settings of the environment, which are no options. */
  settings: readonly string[];
}

/**
 * Reads the arguments of a command.
 *
 * @param command Its name, for errors.
 * @param settings Names of environment variables that people may take for options.
 * @throws {UsageError} for what it does not take or cannot use, and what is missing.
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
    throw new UsageError(`${command} has no result to print as JSON`);
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

/** @throws {UsageError} saying all that is missing, and all that cannot be used. */
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
    throw new UsageError(`${reading.command} ${rawName} is gone: ${option.gone}`);
  }
  if (option === 'flag') {
    if (value !== undefined) throw refused(reading, `takes no value with ${rawName}`);
    return;
  }
  if (!isValue(token, option)) throw refused(reading, `needs a value after ${rawName}`);
}

/** What looks like an option is no value of the one before it, but for a number below 0. */
function isValue({ value = '', inlineValue }: OptionToken, option: Option): boolean {
  // Whoever reads it says what is wrong with nothing.
  if (inlineValue === true) return value !== '' || typeof option === 'function';
  return value !== '' && !/^--?[a-z]/i.test(value);
}

function unknownOption(rawName: string, reading: Reading): UsageError {
  // Of letters after one dash the first is told; it is the word that was typed that is wrong.
  const word = reading.args.find((each) => each.startsWith(rawName)) ?? rawName;
  const typed = plain(word.replace(/=.*/s, ''));
  const setting = typed.replace(/^-+/, '').replaceAll('-', '_').toUpperCase();
  if (reading.settings.includes(setting)) {
    const instead = `set ${setting} in the environment`;
    return new UsageError(`${reading.command} does not take ${typed}: ${instead}`);
  }
  return refused(
    reading,
    /^-\d/.test(typed) ? `takes no number below 0: ${typed}` : `does not take ${typed}`,
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
  return (text: string, option: string): Word => {
    const word = known.find((each) => each === text);
    if (word !== undefined) return word;
    throw new UsageError(`--${option} takes one of ${known.join(', ')}`);
  };
}
