/** Text in pictures: outlines, so that it looks the same wherever the picture is shown. */
import { type Face, outlineOf } from './glyphs.ts';
import { type Markup, at, el } from './svg.ts';

/** How large, and in which cut, a text is drawn. */
export interface Lettering extends Face {
  size: number;
}

/** Where a text stands, and in which colour. */
export interface Place {
  x: number;
  /** The line on which the characters stand. */
  y: number;
  fill: string;
  /** Whether `x` is where the text ends. */
  isEnd?: boolean;
}

const MORE = '…';
const signs = new Intl.Segmenter('en');
/** How wide characters without outline are taken to be: those of most scripts, and the square ones of East Asia. */
const OTHER = 640;
const WIDE = 1050;
const IS_WIDE =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}/u;

/** A text of one line. Where a character has no outline, the reader's own typeface fills the same room. */
export function lettering(given: string, style: Lettering, { x, y, fill, isEnd }: Place): Markup {
  const text = printable(given);
  const outline = outlineOf(text, style);
  const width = widthOf(text, style);
  const left = at(isEnd ? x - width : x);
  if (!outline) return foreign(text, style, { x: left, y, fill, width });
  const transform = `translate(${left} ${at(y)}) scale(${style.size / 1000})`;
  return el('path', { fill, transform, d: outline.path });
}

/** Text in a frame that it cannot leave: not every program fits it to the length that it is given. */
function foreign(
  text: string,
  { size, weight }: Lettering,
  { x, y, fill, width }: Place & { width: number },
): Markup {
  const type = {
    'font-family': 'system-ui, sans-serif',
    'font-size': size,
    'font-weight': weight === 'strong' ? 600 : 400,
  };
  const fit = { textLength: at(width), lengthAdjust: 'spacingAndGlyphs' };
  const frame = { x, y: at(y - size), width: at(width), height: at(size * 1.5) };
  return el('svg', frame, el('text', { y: size, fill, ...type, ...fit }, text));
}

/** Without what is no sign: such characters would only keep the others from their outlines. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}]/gu, '');
}

/** How much room a text takes. */
export function widthOf(text: string, style: Lettering): number {
  const shown = printable(text);
  const width = outlineOf(shown, style)?.width ?? guessedWidth(shown);
  return (width * style.size) / 1000;
}

/** The style in which a text fits, smaller than the given one where it must be, down to half of it. */
export function fitted(room: number, text: string, style: Lettering): Lettering {
  const width = widthOf(text, style);
  if (width <= room) return style;
  return { ...style, size: Math.max(style.size / 2, Math.floor((style.size * room) / width)) };
}

/** As much of a text as there is room for. */
export function cutTo(room: number, text: string, style: Lettering): string {
  if (widthOf(text, style) <= room) return text;
  const characters = [...signs.segment(text)].map(({ segment }) => segment);
  while (characters.length > 0) {
    characters.pop();
    const shorter = characters.join('').trimEnd() + MORE;
    if (widthOf(shorter, style) <= room) return shorter;
  }
  return '';
}

function guessedWidth(text: string): number {
  return [...text].reduce((sum, character) => sum + (IS_WIDE.test(character) ? WIDE : OTHER), 0);
}
