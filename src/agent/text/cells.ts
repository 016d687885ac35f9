/** How many columns of a terminal a text takes. */

/** Made when it is needed: making it takes longer than many a command. */
let graphemes: Intl.Segmenter | undefined;

/** Scripts whose characters take two columns, but for their half-width forms, and pictures. */
const WIDE =
  /(?![\uFF61-\uFFDC])[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6\uFE0F]/u;
/** What joins the character before it, or is not seen at all. */
const NO_WIDTH = /^[\p{Mark}\p{Cf}\p{Cc}]+$/u;

/** The columns that a text takes. */
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

/** A text in pieces of at most so many columns. */
export function pieces(text: string, width: number): string[] {
  const found = [''];
  let used = 0;
  for (const grapheme of graphemesOf(text)) {
    const taken = graphemeWidth(grapheme);
    if (used + taken > width) found.push('');
    used = used + taken > width ? taken : used + taken;
    found[found.length - 1] += grapheme;
  }
  return found;
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
