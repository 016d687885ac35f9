import { parseArgs } from 'node:util';
import { plain } from '#core/domain/text/terminal-text.ts';
import { UsageError } from './usage-error.ts';

type OptionTypes = Readonly<Record<string, { readonly type: 'boolean' | 'string' }>>;

/** What a command takes besides `--json`, and its name for who gives it something else. */
interface Takes<Options extends OptionTypes> {
  command: string;
  options?: Options;
  /** The word besides the options, as the help writes it: `FILE`, or `[FILE]` where it may be left out. */
  word?: string;
  /** Whether it has a result, and so takes `--json`. */
  hasResult?: boolean;
}

interface Arguments<Options extends OptionTypes> {
  values: { [Name in keyof Options]?: Options[Name]['type'] extends 'boolean' ? boolean : string };
  /** Empty if it was left out. */
  word: string;
}

/** What many programs take as options, and this one from the environment. */
const SETTINGS = ['BASE_URL', 'BOARD_DIR', 'DATA_DIR', 'HOST', 'PORT'];

/**
 * Reads a command's options, and the word besides them.
 *
 * @throws {UsageError} naming what it does not take, and what it does.
 */
export function readArguments<Options extends OptionTypes = Record<never, never>>(
  args: string[],
  takes: Takes<Options>,
): Arguments<Options> {
  const { options = {} } = takes;
  const settings = { args, options, allowPositionals: true, strict: false, tokens: true } as const;
  const { values, positionals, tokens } = parseArgs(settings);
  for (const token of tokens) if (token.kind === 'option') refuseOption(token, args, takes);
  refuseWords(positionals, takes);
  return { values: values as Arguments<Options>['values'], word: positionals[0] ?? '' };
}

function refuseWords(words: readonly string[], takes: Takes<OptionTypes>): void {
  const { command, word } = takes;
  const surplus = words[word === undefined ? 0 : 1];
  if (surplus !== undefined) throw refused(takes, `does not take "${plain(surplus)}"`);
  const isNeeded = word !== undefined && !word.startsWith('[');
  if (words.includes('') || (words.length === 0 && isNeeded)) {
    throw new UsageError(`${command} takes ${listOf(takes)}`);
  }
}

interface OptionToken {
  name: string;
  rawName: string;
  value?: string | undefined;
  inlineValue?: boolean | undefined;
}

function refuseOption(token: OptionToken, args: readonly string[], takes: Takes<OptionTypes>) {
  const { name, rawName, value } = token;
  const { options = {} } = takes;
  const type = Object.hasOwn(options, name) ? options[name]?.type : undefined;
  if (type === undefined || !rawName.startsWith('--')) throw unknownOption(rawName, args, takes);
  if (type === 'boolean') {
    if (value !== undefined) throw refused(takes, `takes no value with ${rawName}`);
    return;
  }
  if (!isValue(token)) throw refused(takes, `needs a value after ${rawName}`);
}

/** What looks like an option is no value of the one before it, but for a number below 0. */
function isValue({ value = '', inlineValue }: OptionToken): boolean {
  return value !== '' && (inlineValue === true || !/^--?[a-z]/i.test(value));
}

function unknownOption(
  rawName: string,
  args: readonly string[],
  takes: Takes<OptionTypes>,
): UsageError {
  // Of letters after one dash the first is told; it is the word that was typed that is wrong.
  const typed = (args.find((word) => word.startsWith(rawName)) ?? rawName).replace(/=.*/s, '');
  const setting = typed.replace(/^-+/, '').replaceAll('-', '_').toUpperCase();
  if (!SETTINGS.includes(setting)) return refused(takes, `does not take ${plain(typed)}`);
  return new UsageError(
    `${takes.command} does not take ${typed}: set ${setting} in the environment`,
  );
}

function refused(takes: Takes<OptionTypes>, what: string): UsageError {
  return new UsageError(`${takes.command} ${what}. It takes ${listOf(takes)}`);
}

function listOf({ options = {}, word, hasResult = true }: Takes<OptionTypes>): string {
  const parts = Object.keys(options).map((name) => `--${name}`);
  if (hasResult) parts.push('--json');
  if (word !== undefined) parts.unshift(wordOf(word));
  const last = parts.pop() ?? 'nothing more';
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}

function wordOf(word: string): string {
  return word.startsWith('[') ? `one ${word.slice(1, -1)} at most` : `one ${word}`;
}

/** So many rows are printed at most. */
const MAX_SHOWN = 10_000;

/** @throws {UsageError} if `--limit` was given something else. */
export function readLimit(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MAX_SHOWN) return limit;
  throw new UsageError(`--limit takes a whole number from 1 to ${MAX_SHOWN}`);
}
