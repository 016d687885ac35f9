import { plain } from '#core/domain/text/terminal-text.ts';
import { COMMAND_WORDS } from '../command-names.ts';

const TEXT_WIDTH = 80;
const GAP = 2;

export interface Column {
  title: string;
  /** The alignment: left for text, right for numbers. */
  side?: 'left' | 'right';
  /** The smallest width if the table is too wide. Without it, the column never shrinks. */
  least?: number;
}

/**
 * A table that fits a terminal. Long text in a column that may shrink is cut with an ellipsis. Control characters in
 * cells are made harmless.
 *
 * @returns The line of titles, then one line for each row.
 */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  indent = 2,
): string[] {
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => row.map(plain))];
  const natural = columns.map((_, at) => Math.max(...cells.map((row) => widthOf(row[at] ?? ''))));
  const widths = shrunk(columns, natural, TEXT_WIDTH - indent - GAP * (columns.length - 1));
  return cells.map((row) => {
    const line = columns.map(({ side }, at) => fitted(row[at] ?? '', widths[at] ?? 0, side));
    return (' '.repeat(indent) + line.join(' '.repeat(GAP))).trimEnd();
  });
}

/** Shrinks the last columns first, because the first ones name the row. */
function shrunk(columns: readonly Column[], natural: readonly number[], room: number): number[] {
  let excess = natural.reduce((sum, width) => sum + width, 0) - room;
  const widths = [...natural];
  for (let at = columns.length - 1; at >= 0 && excess > 0; at -= 1) {
    const width = widths[at] ?? 0;
    const given = Math.min(excess, Math.max(0, width - (columns[at]?.least ?? width)));
    widths[at] = width - given;
    excess -= given;
  }
  return widths;
}

/** A word, or a command with its options and addresses, which is not split so that it can be copied. */
const UNIT = new RegExp(
  String.raw`["(]?(?:opbench|node (?:"[^"]+"|\S+\.mjs)) ${COMMAND_WORDS}(?: (?:-\S+|[A-Z]+\b|on\b|off\b|[^ "]*[/:][^ ]*))*[^ ]*|[^ ]*`,
  'y',
);

/** The words of a text, with commands unsplit. Each additional space gives an empty word. */
function unitsOf(text: string): string[] {
  const units: string[] = [];
  for (let at = 0; at <= text.length; at += (units.at(-1) ?? '').length + 1) {
    UNIT.lastIndex = at;
    units.push(UNIT.exec(text)?.[0] ?? '');
  }
  return units;
}

/** A text in lines that fit a terminal. `indent` is the number of spaces before each. */
export function wrapped(text: string, indent: number): string {
  const lines: string[] = [];
  for (const word of unitsOf(text)) {
    const last = lines.at(-1);
    const fits = last !== undefined && indent + widthOf(last) + 1 + widthOf(word) <= TEXT_WIDTH;
    if (fits) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => ' '.repeat(indent) + line).join('\n');
}

/** A name and its details, in one line if they fit a terminal. */
export function headingText(name: string, rest: string, strong = (text: string) => text): string {
  const fits = widthOf(name) + 2 + widthOf(rest) <= TEXT_WIDTH;
  return fits ? `${strong(name)}, ${rest}` : `${strong(name)},\n${wrapped(rest, 2)}`;
}

/** The width of the names in {@linkcode named} and {@linkcode filled}. */
const NAME_WIDTH = 9;

/** A name and a text in one line, which is not wrapped so that the text can be copied. */
export function named(name: string, text: string): string {
  return `  ${name.padEnd(NAME_WIDTH)}${plain(text)}`;
}

/** A name followed by parts, in lines that fit a terminal. */
export function filled(indent: string, name: string, parts: readonly string[]): string[] {
  const lines = [`${indent}${name.padEnd(NAME_WIDTH)}`];
  parts.forEach((part, index) => {
    const text = index < parts.length - 1 ? `${part},` : part;
    const line = lines.at(-1) ?? '';
    const glue = index === 0 ? '' : ' ';
    if (index === 0 || line.length + glue.length + text.length <= TEXT_WIDTH) {
      lines[lines.length - 1] = `${line}${glue}${text}`;
    } else {
      lines.push(`${indent}${' '.repeat(NAME_WIDTH)}${text}`);
    }
  });
  return lines;
}

/** Created when it is needed, because that takes longer than many commands. */
let graphemes: Intl.Segmenter | undefined;

/** Characters that take two columns: East Asian scripts except half-width forms, and emoji. */
const WIDE =
  /(?![\uFF61-\uFFDC])[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6\uFE0F]/u;
/** Characters that take no column: combining marks and invisible characters. */
const NO_WIDTH = /^[\p{Mark}\p{Cf}\p{Cc}]+$/u;

export function widthOf(text: string): number {
  if (/^[\x20-\x7E]*$/.test(text)) return text.length;
  return graphemesOf(text).reduce((sum, grapheme) => sum + graphemeWidth(grapheme), 0);
}

/** A text of exactly `width` columns: padded, or cut with an ellipsis. */
export function fitted(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const cut = widthOf(text) > width ? cutTo(text, width) : text;
  const space = ' '.repeat(width - widthOf(cut));
  return side === 'left' ? cut + space : space + cut;
}

function cutTo(text: string, width: number): string {
  if (width < 1) return '';
  let kept = '';
  let used = 1;
  for (const grapheme of graphemesOf(text)) {
    used += graphemeWidth(grapheme);
    if (used > width) break;
    kept += grapheme;
  }
  return `${kept}…`;
}

function graphemesOf(text: string): string[] {
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

function graphemeWidth(grapheme: string): number {
  if (NO_WIDTH.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}
