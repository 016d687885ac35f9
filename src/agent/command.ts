import { parseArgs } from 'node:util';
import { readBoardUrl } from './board/address.ts';
import type { CommandName } from './command-names.ts';
import type { Device } from './device.ts';
import { EXIT, type ExitCode, Failure } from './failure.ts';

/**
 * Says how far something is, in words that the next ones replace.
 *
 * @param isNews Whether a line stays of it where there is no terminal, because work then seems to stand still.
 */
export type Progress = (text: string, isNews?: boolean) => void;

/** Where a command's words go: results to stdout, messages to stderr. */
export interface Output {
  result(text: string): void;
  note(text: string): void;
  /** Says how far it is in one line, on a terminal; elsewhere only what is news. */
  progress: Progress;
  /** Takes the line of {@linkcode progress} away. */
  done(): void;
  /** The text in bold where results go to a terminal that wants it. */
  strong(text: string): string;
}

/** What one word after `opbench` does, and what it needs for that. */
export interface Command<Needs = Device> {
  help: string;
  run(device: Needs, args: string[], output: Output): Promise<ExitCode>;
}

const OPTIONS = {
  board: { type: 'string' },
  days: { type: 'string' },
  'dry-run': { type: 'boolean' },
  json: { type: 'boolean' },
  label: { type: 'string' },
  limit: { type: 'string' },
  local: { type: 'boolean' },
  metric: { type: 'string' },
  model: { type: 'string' },
  new: { type: 'boolean' },
  offline: { type: 'boolean' },
  provider: { type: 'string' },
  repair: { type: 'boolean' },
  replace: { type: 'string' },
  'same-machine': { type: 'boolean' },
  tool: { type: 'string' },
  undo: { type: 'boolean' },
  withdrawn: { type: 'boolean' },
  window: { type: 'string' },
  yes: { type: 'boolean' },
} as const;

type OptionName = keyof typeof OPTIONS;

/** What a command takes, and its name for who gives it something else. */
interface Takes {
  command: CommandName;
  options: readonly OptionName[];
  words?: number;
}

/**
 * Reads a command's arguments.
 *
 * @throws {Failure} `usage` for an option that it does not take, or too many words.
 */
export function readArguments(args: string[], takes: Takes) {
  const options = Object.fromEntries(takes.options.map((name) => [name, OPTIONS[name]]));
  const settings = { args, options, allowPositionals: true, strict: false, tokens: true } as const;
  const { values, positionals, tokens } = parseArgs(settings);
  for (const token of tokens) if (token.kind === 'option') refuseOption(token, args, takes);
  const surplus = positionals[takes.words ?? 0];
  if (surplus !== undefined) throw refused(takes, `does not take "${surplus}"`);
  const { board, ...texts } = values as Partial<Record<OptionName, string>>;
  return {
    ...texts,
    board: board === undefined ? undefined : readBoardUrl(board),
    json: values['json'] === true,
    local: values['local'] === true,
    new: values['new'] === true,
    sameMachine: values['same-machine'] === true,
    offline: values['offline'] === true,
    repair: values['repair'] === true,
    undo: values['undo'] === true,
    withdrawn: values['withdrawn'] === true,
    yes: values['yes'] === true,
    dryRun: values['dry-run'] === true,
    words: positionals,
  };
}

interface OptionToken {
  name: string;
  rawName: string;
  value?: string | undefined;
  inlineValue?: boolean | undefined;
}

function refuseOption(
  { name, rawName, value, inlineValue }: OptionToken,
  args: readonly string[],
  takes: Takes,
): void {
  if (!takes.options.includes(name as OptionName) || !rawName.startsWith('--')) {
    // Of letters after one dash the first is told; it is the word that was typed that is wrong.
    const typed = args.find((word) => word.startsWith(rawName)) ?? rawName;
    const what = /^-\d/.test(typed) ? 'takes no number below 0:' : 'does not take';
    throw refused(takes, `${what} ${typed.replace(/=.*/s, '')}`);
  }
  refuseValue({ name, rawName, value, inlineValue }, takes);
}

/** A text option takes one value; what looks like an option is none, but for a number below 0. */
function refuseValue({ name, rawName, value, inlineValue }: OptionToken, takes: Takes): void {
  const isText = OPTIONS[name as OptionName].type === 'string';
  if (!isText && value !== undefined) throw refused(takes, `takes no value with ${rawName}`);
  const isNext = value !== undefined && !inlineValue && /^--?[a-z]/i.test(value);
  if (isText && (value === undefined || isNext))
    throw refused(takes, `needs a value after ${rawName}`);
}

function refused({ command, options }: Takes, what: string): Failure {
  const taken = options.map((name) => `--${name}`);
  const last = taken.pop();
  const list = taken.length > 0 ? `${taken.join(', ')} and ${last}` : last;
  const hint = `It takes ${list}: opbench ${command} --help`;
  return new Failure(EXIT.usage, `${command} ${what}`, hint);
}
