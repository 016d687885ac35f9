/** The badge: one line with an operator's rank or value, for other websites. */
import type { BadgeStyle } from '#core/domain/board/badge.ts';
import type { Colours } from '#core/domain/board/colours.ts';
import type { ClassTier } from '#core/schema/board.ts';
import { classShape } from './class-mark.ts';
import { type Lettering, cutTo, lettering, widthOf } from './lettering.ts';
import { type Markup, el } from './svg.ts';

export interface Badge {
  board: string;
  /** The text, piece by piece. */
  says: readonly BadgePiece[];
  /** The same as a sentence, for screen readers. */
  title: string;
  colours: Readonly<Colours>;
  style?: BadgeStyle;
  /** The class whose mark precedes the name. Without one, the mark is an interval. */
  tier?: ClassTier;
}

export interface BadgePiece {
  text: string;
  tone?: 'soft' | 'strong';
}

const HEIGHT = 22;
const PADDING = 8;
/** The baseline of the text. */
const FOOT = 15.25;
const SIZE = 12;
const MARK = 11;
/** Longer names and pieces are truncated. */
const BOARD_ROOM = 170;
const PIECE_ROOM = 130;

const PLAIN: Lettering = { weight: 'regular', size: SIZE };
const STRONG: Lettering = { weight: 'strong', size: SIZE };

export function badge({ board, says, title, colours, style = 'framed', tier }: Badge): Markup {
  const name = cutTo(BOARD_ROOM, board, STRONG);
  const nameX = PADDING + MARK + 6;
  const edge = Math.ceil(nameX + widthOf(name, STRONG) + PADDING);
  const { pieces, end } = piecesFrom(edge + PADDING, says, colours);
  const width = Math.ceil(end + PADDING);
  return el(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height: HEIGHT,
      viewBox: `0 0 ${width} ${HEIGHT}`,
      role: 'img',
      'aria-label': title,
    },
    el('title', {}, title),
    style !== 'plain' && frame({ width, edge, isFlat: style === 'flat' }, colours),
    classMark(PADDING, tier, colours) ?? mark(PADDING, colours),
    lettering(name, STRONG, { x: nameX, y: FOOT, fill: colours.ink }),
    ...pieces,
  );
}

function piecesFrom(
  x: number,
  says: readonly BadgePiece[],
  { ink, inkSoft }: Colours,
): { pieces: Markup[]; end: number } {
  let end = x;
  const pieces = says.map(({ text, tone }) => {
    const style = tone === 'strong' ? STRONG : PLAIN;
    const shown = cutTo(PIECE_ROOM, text, style);
    const place = { x: end, y: FOOT, fill: tone === 'soft' ? inkSoft : ink };
    end += widthOf(shown, style);
    return lettering(shown, style, place);
  });
  return { pieces, end };
}

interface Frame {
  width: number;
  /** The position of the line between the board's name and the rest. */
  edge: number;
  /** Whether it has square corners and no lines. */
  isFlat: boolean;
}

/** The board's name has a darker background than the rest. */
function frame({ width, edge, isFlat }: Frame, { surface, surfaceSunk, line }: Colours): Markup {
  if (isFlat) {
    const all = el('rect', { width, height: HEIGHT, fill: surface });
    return el('g', {}, all, el('rect', { width: edge, height: HEIGHT, fill: line }));
  }
  const inner = { y: 0.5, height: HEIGHT - 1 };
  const left = `M${edge} ${HEIGHT - 0.5}H4a3.5 3.5 0 0 1-3.5-3.5V4A3.5 3.5 0 0 1 4 .5H${edge}z`;
  return el(
    'g',
    {},
    el('rect', { x: 0.5, ...inner, width: width - 1, rx: 3.5, fill: surface }),
    el('path', { d: left, fill: surfaceSunk }),
    el('rect', { x: 0.5, ...inner, width: width - 1, rx: 3.5, fill: 'none', stroke: line }),
    el('path', { d: `M${edge + 0.5} 1V${HEIGHT - 1}`, stroke: line }),
  );
}

function classMark(x: number, tier: ClassTier | undefined, { ink }: Colours): Markup | null {
  const shape = tier === undefined ? null : classShape(tier);
  if (shape === null) return null;
  const place = { x: x - 1.5, y: (HEIGHT - 14) / 2, width: 14, height: 14, viewBox: '0 0 16 16' };
  const line = { fill: 'none', stroke: ink, 'stroke-width': 1.5, 'stroke-linecap': 'round' };
  return el('svg', { ...place, ...line, 'stroke-linejoin': 'round' }, shape);
}

/** An interval as on the board, with the conservative value marked. */
function mark(x: number, { lineStrong, accent }: Colours): Markup {
  const middle = HEIGHT / 2;
  return el(
    'g',
    { fill: 'none' },
    el('path', { d: `M${x} ${middle}h${MARK}`, stroke: lineStrong, 'stroke-width': 2 }),
    el('path', { d: `M${x + 1.5} ${middle - 5}v10`, stroke: accent, 'stroke-width': 3 }),
  );
}
