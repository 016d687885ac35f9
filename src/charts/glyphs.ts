/** The outlines of the site's typeface; `scripts/glyphs.mjs` makes the data. */
import data from './glyphs.json' with { type: 'json' };

export interface Face {
  weight: 'regular' | 'strong';
  /** Whether all digits are of one width, as in a column. */
  tabular?: boolean;
}

/** A line of text as one path, in thousandths of its size, from its first character's foot on. */
export interface Outline {
  path: string;
  width: number;
}

/** The outline of a text; null if a character of it has none. */
export function outlineOf(text: string, face: Face): Outline | null {
  let path = '';
  let width = 0;
  let before = '';
  for (const character of text) {
    const glyph = glyphOf(character, face);
    if (glyph === undefined) return null;
    const at = glyph.indexOf(' ');
    const shape = at < 0 ? '' : glyph.slice(at + 1);
    width += kerning(before, character, face);
    if (shape !== '') path += `M${width} 0${shape}`;
    width += Number(at < 0 ? glyph : glyph.slice(0, at));
    before = character;
  }
  return { path, width };
}

function glyphOf(character: string, { weight, tabular = false }: Face): string | undefined {
  const { glyphs, tabular: digits } = data[weight];
  return (tabular ? own(digits, character) : undefined) ?? own(glyphs, character);
}

/** How much further a character stands from the one before it than their widths say. */
function kerning(before: string, character: string, { weight, tabular = false }: Face): number {
  if (tabular) return 0;
  const pairs = own<Readonly<Record<string, string>>>(data[weight].kerning, before) ?? {};
  const found = Object.entries(pairs).find(([, characters]) => characters.includes(character));
  return Number(found?.[0] ?? 0);
}

function own<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
