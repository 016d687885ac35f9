import { totalOf } from '#core/domain/counting/bucket.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { across, all, frame, upright } from './frame.ts';
import { PILLARS, PILLAR_LABELS } from './labels.ts';
import { shareText, tokensText } from './numbers.ts';
import { type Markup, el } from './svg.ts';

type Pillar = keyof Pillars;

interface Piece {
  pillar: Pillar;
  tokens: number;
  share: number;
  start: number;
  length: number;
}

const TITLE_Y = 12;
const BAR = { top: 22.5, bottom: 58.5 } as const;
const ROW = 24;
/** How far letters reach below the baseline. */
const ROW_END = 8;
/** Names this close to an end are placed next to their line instead of under it. */
const NEAR = 30;
/** The minimum length of a segment in percent: three pixels on a phone. */
const LEAST = 1;

/** The four token types as shares of all tokens, in the order in which tokens flow. */
export function cascadeBar(pillars: Pillars): Markup {
  const pieces = piecesOf(pillars);
  const missing = pieces.length === 0 ? [] : absent(pieces, pillars);
  const notes = [...missing, ...widened(pieces)];
  const rows = byNearestEnd(pieces);
  const rowY = (index: number) => BAR.bottom + ROW * (index + 1);
  return frame(
    {
      kind: 'cascade',
      height:
        pieces.length === 0 ? TITLE_Y + ROW_END : rowY(rows.length + notes.length - 1) + ROW_END,
      title: 'Where the tokens went',
      // Screen readers get the shares, so they do not need the note on lengths.
      desc: [totalText(pillars), ...pieces.map(pieceText), ...missing]
        .map((text) => `${text}.`)
        .join(' '),
    },
    el('text', { x: 0, y: TITLE_Y }, totalText(pillars)),
    all(rows.map((piece, index) => leader(piece, rowY(index)))),
    all(pieces.map(bar)),
    all(rows.map((piece, index) => nameOf(piece, rowY(index)))),
    all(notes.map((text, index) => el('text', { x: 0, y: rowY(rows.length + index) }, text))),
  );
}

/** The segments in order; short ones are lengthened so that they remain visible. */
function piecesOf(pillars: Pillars): Piece[] {
  const total = totalOf(pillars);
  const found = PILLARS.flatMap((pillar) => {
    const tokens = pillars[pillar] ?? 0;
    return tokens > 0 ? [{ pillar, tokens, share: tokens / total }] : [];
  });
  const isShort = ({ share }: { share: number }) => share * 100 < LEAST;
  const short = found.filter(isShort);
  const rest = 1 - short.reduce((sum, { share }) => sum + share, 0);
  const room = 100 - LEAST * short.length;
  let start = 0;
  return found.map((piece) => {
    const length = isShort(piece) ? LEAST : (piece.share / rest) * room;
    const placed = { ...piece, start, length };
    start += length;
    return placed;
  });
}

/** The order in which names are placed: from the middle outward, so that lines do not cross names. */
function byNearestEnd(pieces: readonly Piece[]): Piece[] {
  const distance = (piece: Piece) => Math.min(middleOf(piece), 100 - middleOf(piece));
  return [...pieces].sort((a, b) => distance(b) - distance(a));
}

function middleOf({ start, length }: Piece): number {
  return start + length / 2;
}

function bar({ pillar, start, length }: Piece): Markup {
  const box = { x: across(start), width: across(length), y: BAR.top };
  return el('rect', { class: pillar, ...box, height: BAR.bottom - BAR.top });
}

/** Places a segment's name under its line, or next to it near an end of the bar. */
function sideOf(place: number): 'end' | 'middle' | 'start' {
  if (place < NEAR) return 'start';
  return place > 100 - NEAR ? 'end' : 'middle';
}

function leader(piece: Piece, y: number): Markup {
  const place = middleOf(piece);
  return upright(place, [BAR.bottom, y - (sideOf(place) === 'middle' ? 13 : 4)], 'leader');
}

function nameOf(piece: Piece, y: number): Markup {
  const place = middleOf(piece);
  const anchor = sideOf(place);
  const dx = { start: 5, middle: null, end: -5 }[anchor];
  const text = { class: 'halo', x: across(place), y, dx, 'text-anchor': anchor };
  return el('text', text, pieceText(piece));
}

function totalText(pillars: Pillars): string {
  return `${tokensText(totalOf(pillars))} tokens`;
}

function pieceText({ pillar, tokens, share }: Piece): string {
  return `${PILLAR_LABELS[pillar]} ${shareText(share)}, ${tokensText(tokens)}`;
}

function absent(pieces: readonly Piece[], pillars: Pillars): string[] {
  const missing = PILLARS.filter((pillar) => !pieces.some((piece) => piece.pillar === pillar));
  return missing.map((pillar) => {
    return `${PILLAR_LABELS[pillar]}: ${pillars[pillar] === null ? 'not reported' : 'none'}`;
  });
}

function widened(pieces: readonly Piece[]): string[] {
  const isAny = pieces.some(({ share }) => share * 100 < LEAST);
  return isAny ? [`Shares under ${LEAST}% are drawn as ${LEAST}%`] : [];
}
