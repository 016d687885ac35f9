/** Options that every command of a program takes, before or after the command's name. */
import { UsageError } from './arguments.ts';

/** The values of the given options, by name. */
export type SharedValues = Readonly<Record<string, string>>;

/**
 * Separates these options from the other words. Words after `--` are not options.
 *
 * @param names The options, without dashes. Each has a value.
 * @throws {UsageError} if an option has no value, or is repeated.
 */
export function takeShared(
  words: readonly string[],
  names: readonly string[] = [],
): { shared: SharedValues; others: string[] } {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const left = words.slice(0, end);
  const shared: Record<string, string> = {};
  const others: string[] = [];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const [, name = '', inline] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (!names.includes(name)) {
      others.push(word);
    } else if (name in shared) {
      throw new UsageError(`--${name} can be given only once`);
    } else {
      shared[name] = valueOf(name, inline ?? left.shift());
    }
  }
  return { shared, others: [...others, ...words.slice(end)] };
}

function valueOf(name: string, value = ''): string {
  if (value !== '' && !value.startsWith('--')) return value;
  throw new UsageError(`--${name} needs a value`);
}
