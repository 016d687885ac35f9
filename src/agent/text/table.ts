import { plain } from '#core/domain/text/terminal-text.ts';
import { COMMAND_WORDS } from '../command-names.ts';

const TEXT_WIDTH = 80;
const GAP = 2;

export interface Column {
  title: string;
  /** On which side texts begin; numbers end on the right. */
  side?: 'left' | 'right';
  /** The fewest columns it may shrink to where the table is too wide; absent if it may not. */
  least?: number;
}

/**
 * A table that fits a terminal: what is too long in a column that may shrink is cut with an ellipsis.
 * Foreign texts cannot steer the terminal.
 *
 * @returns The line of titles, and one line a row.
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

/** The last column that may shrink gives first: what names a row stands in front. */
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

/** A word, or what is copied whole: a command with its options and addresses. */
const UNIT = new RegExp(
  String.raw`["(]?(?:opbench|node (?:"[^"]+"|\S+\.mjs)) ${COMMAND_WORDS}(?: (?:-\S+|[A-Z]+\b|on\b|off\b|[^ "]*[/:][^ ]*))*[^ ]*|[^ ]*`,
  'y',
);

/** The words of a text, of which commands stay whole; an empty one for each further space. */
function unitsOf(text: string): string[] {
  const units: string[] = [];
  for (let at = 0; at <= text.length; at += (units.at(-1) ?? '').length + 1) {
    UNIT.lastIndex = at;
    units.push(UNIT.exec(text)?.[0] ?? '');
  }
  return units;
}

/** A text in lines that fit a terminal, each indented by so many spaces. */
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

/** A name and what is told of it, in one line if it fits a terminal. */
export function headingText(name: string, rest: string, strong = (text: string) => text): string {
  const fits = widthOf(name) + 2 + widthOf(rest) <= TEXT_WIDTH;
  return fits ? `${strong(name)}, ${rest}` : `${strong(name)},\n${wrapped(rest, 2)}`;
}

/** Made when it is needed: making it takes longer than many a command. */
let graphemes: Intl.Segmenter | undefined;

/** Scripts whose characters take two columns, but for their half-width forms, and pictures. */
const WIDE =
  /(?![\uFF61-\uFFDC])[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6\uFE0F]/u;
/** What joins the character before it, or is not seen at all. */
const NO_WIDTH = /^[\p{Mark}\p{Cf}\p{Cc}]+$/u;

export function widthOf(text: string): number {
  if (/^[\x20-\x7E]*$/.test(text)) return text.length;
  return graphemesOf(text).reduce((sum, grapheme) => sum + graphemeWidth(grapheme), 0);
}

/** A text of exactly so many columns: filled up on one side, or cut with an ellipsis. */
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
