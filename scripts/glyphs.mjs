// Writes src/charts/glyphs.json: the outlines of the site's typeface, so that pictures carry their text as
// shapes and look the same wherever they are shown.
//   node scripts/glyphs.mjs
// The typeface is Atkinson Hyperlegible Next, under the SIL Open Font License 1.1 without a reserved name.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openSync } from 'fontkit';
import { ROOT } from './runtime.mjs';

const FONT = 'node_modules/@fontsource/atkinson-hyperlegible-next/files';
const SIGNS = '–−×÷·…';
/** Boards have names of all Europe; what operators and numbers are called needs no more than ASCII. */
const LETTERS = 'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿŒœ’';
const DIGITS = '0123456789';

const ASCII = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index));
/** Closer or wider pairs than this are not seen, in thousandths of the size. */
const MIN_KERN = 20;

/** The file's text. */
export function glyphFile() {
  const faces = {
    regular: face(400, ASCII + SIGNS),
    strong: face(600, ASCII + SIGNS + LETTERS, DIGITS),
  };
  return `${JSON.stringify(faces, null, 2)}\n`;
}

/** The typeface in a weight. */
export function fontOf(weight) {
  return openSync(join(ROOT, FONT, `atkinson-hyperlegible-next-latin-${weight}-normal.woff2`));
}

/** Each glyph is its width and its path, with y downwards; digits of one width stand apart. */
function face(weight, characters, tabular = '') {
  const font = fontOf(weight);
  if (font.unitsPerEm !== 1000) throw new Error(`The font has ${font.unitsPerEm} units to the em`);
  return {
    glyphs: glyphsOf(font, characters, {}),
    tabular: glyphsOf(font, tabular, { tnum: true }),
    kerning: kerningOf(font),
  };
}

function glyphsOf(font, characters, features) {
  const entries = [...characters].map((character) => {
    const { glyphs } = font.layout(character, features);
    if (glyphs.length !== 1 || glyphs[0].id === 0) throw new Error(`There is no ${character}`);
    return [character, `${Math.round(glyphs[0].advanceWidth)} ${relative(glyphs[0].path)}`.trim()];
  });
  return Object.fromEntries(entries);
}

/** How much closer each pair stands: by its first character, then by the difference. */
function kerningOf(font) {
  const kerning = {};
  for (const first of ASCII) {
    const { advanceWidth } = font.glyphForCodePoint(first.codePointAt(0));
    for (const second of ASCII) {
      const difference = font.layout(first + second).positions[0].xAdvance - advanceWidth;
      if (Math.abs(difference) < MIN_KERN) continue;
      kerning[first] ??= {};
      kerning[first][difference] = (kerning[first][difference] ?? '') + second;
    }
  }
  return kerning;
}

/** A path with relative commands, which are shorter, and follow whatever stands before them. */
function relative({ commands }) {
  let [x, y] = [0, 0];
  let start = [0, 0];
  const parts = commands.map(({ command, args }) => {
    const points = args.map((value, index) => Math.round(index % 2 === 0 ? value : -value));
    const steps = points.map((value, index) => value - (index % 2 === 0 ? x : y));
    if (command === 'closePath') [x, y] = start;
    else [x, y] = points.slice(-2);
    if (command === 'moveTo') start = [x, y];
    return step(command, steps);
  });
  return parts.join('');
}

function step(command, steps) {
  if (command === 'closePath') return 'z';
  if (command === 'moveTo') return `m${numbers(steps)}`;
  if (command === 'quadraticCurveTo') return `q${numbers(steps)}`;
  if (command !== 'lineTo') throw new Error(`There is no way to write ${command}`);
  const [dx, dy] = steps;
  if (dy === 0) return dx === 0 ? '' : `h${dx}`;
  return dx === 0 ? `v${dy}` : `l${numbers(steps)}`;
}

/** Numbers need nothing between them where a minus begins the next. */
function numbers(values) {
  return values.join(' ').replaceAll(' -', '-');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(join(ROOT, 'src', 'charts', 'glyphs.json'), glyphFile());
}
