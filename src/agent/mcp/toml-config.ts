import { parse } from 'smol-toml';
import {
  type Config,
  type ConfigFormat,
  type EntryPlace,
  type ServerEntry,
  lineEndOf,
} from './config-format.ts';

/** Configurations in TOML. What the text says is decided by a parser, before and after a change. */
export const tomlConfig: ConfigFormat = {
  parse: (text) => parse(text, { integersAsBigInt: 'asNeeded' }) as Config,

  show: (place, entry) => tableLines(place, entry).join('\n'),

  add(text, place, entry) {
    const lineEnd = lineEndOf(text);
    const end = text === '' || text.endsWith('\n') ? '' : lineEnd;
    const gap = text === '' ? '' : lineEnd;
    return text + end + gap + tableLines(place, entry).join(lineEnd);
  },

  update(text, place, entry) {
    const { lines, from, to } = find(text, place);
    const [, ...wanted] = tableLines(place, entry);
    const values = wanted.filter((line) => line !== '');
    const nameOf = (line: string) => /^\s*(\w+)\s*=/.exec(line)?.[1];
    const names = new Set(values.map(nameOf));
    const own = lines.slice(from, to).filter((line) => !names.has(nameOf(line) ?? ''));
    const [header = '', ...others] = own;
    const block = [header, ...values, ...others];
    return [...lines.slice(0, from), ...block, ...lines.slice(to)].join(lineEndOf(text));
  },

  replace(text, place, entry) {
    return tomlConfig.put(text, place, tableLines(place, entry).slice(0, -1).join(lineEndOf(text)));
  },

  take(text, place) {
    const { lines, from, end } = find(text, place);
    return lines.slice(from, end).join(lineEndOf(text));
  },

  put(text, place, own) {
    const { lines, from, end } = find(text, place);
    return [...lines.slice(0, from), own, ...lines.slice(end)].join(lineEndOf(text));
  },

  remove(text, place) {
    const { lines, from, end } = find(text, place);
    const isBlank = (line: string | undefined) => line !== undefined && line.trim() === '';
    const isGap = isBlank(lines[from - 1]) && (end >= lines.length || isBlank(lines[end]));
    const kept = [...lines.slice(0, isGap ? from - 1 : from), ...lines.slice(end)];
    return kept.join(lineEndOf(text));
  },
};

/** The table of an entry, ended by an empty string so that lines joined end in a line end. */
function tableLines({ holder, name }: EntryPlace, { command, args, env }: ServerEntry): string[] {
  const variables = Object.entries(env ?? {}).map(([key, value]) => `${key} = ${quoted(value)}`);
  return [
    `[${holder}.${name}]`,
    `command = ${quoted(command)}`,
    `args = [${args.map(quoted).join(', ')}]`,
    ...(variables.length > 0 ? [`env = { ${variables.join(', ')} }`] : []),
    '',
  ];
}

/** A basic string of TOML: as in JSON, but for one control character. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', '\\u007F');
}

/** The lines of an entry: its own table up to `to`, with the tables inside it up to `end`. */
function find(text: string, place: EntryPlace) {
  const lines = text.split(/\r?\n/);
  const from = lines.findIndex((line) => isHeader(line, place, false));
  if (from < 0) throw new Error('there is no table of its own');
  const next = nextHeader(lines, from + 1);
  let end = next;
  while (end < lines.length && isHeader(lines[end] ?? '', place, true)) {
    end = nextHeader(lines, end + 1);
  }
  // What stands above the next table, blank or a comment, belongs to that.
  const trimmed = (until: number) => {
    let at = until;
    while (at > from + 1 && /^\s*(#.*)?$/.test(lines[at - 1] ?? '')) at -= 1;
    return at;
  };
  return { lines, from, to: trimmed(next), end: trimmed(end) };
}

function nextHeader(lines: readonly string[], from: number): number {
  const at = lines.findIndex((line, index) => index >= from && /^\s*\[/.test(line));
  return at < 0 ? lines.length : at;
}

function isHeader(line: string, { holder, name }: EntryPlace, inside: boolean): boolean {
  const key = (text: string) => `\\s*["']?${text}["']?\\s*`;
  const rest = inside ? '\\..*' : '';
  const pattern = `^\\s*\\[${key(holder)}\\.${key(name)}${rest}\\]\\s*(#.*)?$`;
  return new RegExp(pattern).test(line);
}
