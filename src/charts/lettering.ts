/** Text of known width in pictures. The rasterizer has the board's typeface; viewers of badges may use another. */
import { type Markup, at, el } from './svg.ts';

export interface Lettering {
  weight: 'regular' | 'strong';
  size: number;
}

interface TextPlace {
  x: number;
  y: number;
  fill: string;
  /** Whether `x` is the end of the text. */
  isEnd?: boolean;
}

const FACES = {
  regular: { 'font-family': 'Atkinson Hyperlegible Next, system-ui, sans-serif' },
  strong: {
    'font-family': 'Atkinson Hyperlegible Next SemiBold, system-ui, sans-serif',
    'font-weight': 600,
  },
} as const;
/** Widths of the characters from space to tilde, in thousandths of the size; a test compares them with the font files. */
const WIDTHS = {
  regular: [
    280, 286, 301, 651, 592, 919, 731, 160, 299, 299, 485, 606, 210, 362, 210, 387, 648, 407, 548,
    576, 614, 588, 598, 510, 615, 595, 210, 210, 553, 628, 553, 480, 778, 626, 613, 645, 669, 569,
    552, 694, 694, 392, 512, 631, 541, 824, 693, 714, 592, 724, 614, 592, 558, 690, 593, 856, 623,
    575, 607, 317, 387, 344, 552, 372, 243, 525, 566, 485, 564, 538, 314, 558, 550, 252, 245, 492,
    262, 845, 550, 548, 566, 574, 349, 471, 326, 540, 461, 684, 481, 449, 460, 344, 237, 344, 555,
  ],
  strong: [
    303, 298, 362, 730, 604, 953, 727, 195, 324, 324, 485, 598, 252, 369, 253, 424, 656, 430, 569,
    592, 621, 602, 617, 529, 621, 578, 253, 253, 564, 617, 564, 526, 780, 662, 634, 654, 683, 589,
    562, 711, 699, 415, 546, 654, 548, 848, 710, 737, 617, 747, 639, 604, 592, 687, 628, 877, 666,
    627, 615, 333, 424, 344, 573, 391, 274, 544, 587, 502, 586, 555, 349, 582, 565, 285, 255, 536,
    301, 870, 565, 567, 587, 591, 368, 497, 360, 559, 509, 723, 522, 499, 492, 370, 249, 370, 543,
  ],
} as const;
/** Assumed widths of other characters: most scripts, and the square ones of East Asia. */
const OTHER = 640;
const WIDE = 1050;
const IS_WIDE =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}/u;
const MORE = '…';
const signs = new Intl.Segmenter('en');

/** One line of text, clipped to its frame, because not every viewer honors `textLength`. */
export function lettering(
  given: string,
  style: Lettering,
  { x, y, fill, isEnd }: TextPlace,
): Markup {
  const text = printable(given);
  const { weight, size } = style;
  const width = at(widthOf(text, style));
  // Kerning can move pairs of characters apart.
  const frame = { x: at(isEnd ? x - width : x), y: at(y - size), width: at(width + size / 8) };
  const fit = { textLength: width, lengthAdjust: 'spacingAndGlyphs', 'xml:space': 'preserve' };
  const end = isEnd ? { x: width, 'text-anchor': 'end' } : {};
  const shown = { ...end, y: size, fill, ...FACES[weight], 'font-size': size, ...fit };
  return el('svg', { ...frame, height: at(size * 1.5) }, el('text', shown, text));
}

/** Removes characters that XML does not allow. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}]/gu, '');
}

export function widthOf(text: string, { weight, size }: Lettering): number {
  // Combining accents have no width.
  const plain = printable(text).replaceAll(MORE, '...').normalize('NFD').replace(/\p{M}/gu, '');
  const width = [...plain].reduce((sum, each) => sum + characterWidth(each, weight), 0);
  return (width * size) / 1000;
}

function characterWidth(character: string, weight: Lettering['weight']): number {
  const known = WIDTHS[weight][(character.codePointAt(0) ?? 0) - 32];
  return known ?? (IS_WIDE.test(character) ? WIDE : OTHER);
}

/** Shrinks a style until the text fits, to half its size at most. */
export function fitted(room: number, text: string, style: Lettering): Lettering {
  const width = widthOf(text, style);
  if (width <= room) return style;
  return { ...style, size: Math.max(style.size / 2, Math.floor((style.size * room) / width)) };
}

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
