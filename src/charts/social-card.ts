/** The preview picture that other sites show with a link to the board. */
import { type Mark, type Tick, labelled } from './scale.ts';
import type { Colours } from '#core/domain/board/colours.ts';
import { type Lettering, cutTo, fitted, lettering, widthOf } from './lettering.ts';
import { type Markup, el } from './svg.ts';

export interface SocialCard {
  board: string;
  title: string;
  total: string;
  address: string;
  day: string;
  rows: readonly CardRow[];
  /** The ticks of the scale; null without a scale. */
  ticks: readonly Tick[] | null;
  notes: readonly string[];
}

export interface CardRow {
  rank: string;
  name: string;
  value: string;
  /** The interval as text, used without a scale. */
  interval: string;
  mark: Mark | null;
}

const CARD_WIDTH = 1200;
const CARD_HEIGHT = 630;

export const LEFT = 72;
export const RIGHT = CARD_WIDTH - LEFT;
/** The position of the first row, and the distance between rows. */
const ROWS = 248;
const STEP = 56;
const NAME = LEFT + 40;
export const BAR = { from: 550, to: 890 };
/** Where labels of ticks may begin. Notes end before them. */
const FIRST_LABEL = BAR.from - 40;
/** The width of a value next to a bar, and without bars. */
export const VALUE_ROOM = RIGHT - BAR.to - 40;
const WIDE_VALUE_ROOM = 320;

const BOARD: Lettering = { weight: 'strong', size: 34 };
const TITLE: Lettering = { weight: 'strong', size: 56 };
const STRONG: Lettering = { weight: 'strong', size: 30 };
const PLAIN: Lettering = { weight: 'regular', size: 28 };
const LARGE: Lettering = { weight: 'regular', size: 36 };
const SMALL: Lettering = { weight: 'regular', size: 24 };

export function socialCard(card: SocialCard, colours: Readonly<Colours>): Markup {
  const body = card.rows.length === 0 ? emptiness(card.notes, colours) : table(card, colours);
  return framedCard(card, colours, body);
}

/** A picture with the name of the board, a title, and the address and day at the bottom. */
export function framedCard(
  card: Omit<SocialCard, 'notes' | 'rows' | 'ticks'>,
  colours: Readonly<Colours>,
  body: readonly Markup[],
): Markup {
  const title = fitted(RIGHT - LEFT, card.title, TITLE);
  return el(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: CARD_WIDTH,
      height: CARD_HEIGHT,
      viewBox: `0 0 ${CARD_WIDTH} ${CARD_HEIGHT}`,
    },
    el('rect', { width: CARD_WIDTH, height: CARD_HEIGHT, fill: colours.surface }),
    ...head(card, colours),
    lettering(cutTo(RIGHT - LEFT, card.title, title), title, {
      x: LEFT,
      y: 168,
      fill: colours.ink,
    }),
    ...body,
    ...foot(card, colours),
  );
}

function head({ board, total }: Pick<SocialCard, 'board' | 'total'>, colours: Colours): Markup[] {
  const { ink, inkSoft } = colours;
  const room = RIGHT - LEFT - 56 - widthOf(total, PLAIN) - 40;
  return [
    rule(LEFT, 69, colours),
    lettering(cutTo(room, board, BOARD), BOARD, { x: LEFT + 56, y: 81, fill: ink }),
    lettering(total, PLAIN, { x: RIGHT, y: 81, fill: inkSoft, isEnd: true }),
  ];
}

/** An interval as on the board, with the conservative value marked. */
function rule(x: number, y: number, { lineStrong, accent }: Colours): Markup {
  return el(
    'g',
    { fill: 'none' },
    el('path', { d: `M${x} ${y}h44`, stroke: lineStrong, 'stroke-width': 6 }),
    el('path', { d: `M${x + 5} ${y - 16}v32`, stroke: accent, 'stroke-width': 10 }),
  );
}

function table({ rows, ticks, notes }: SocialCard, colours: Colours): Markup[] {
  const bottom = ROWS + (rows.length - 1) * STEP + 18;
  const room = ticks ? VALUE_ROOM : WIDE_VALUE_ROOM;
  const longest = rows.reduce((most, { value }) => (value.length > most.length ? value : most), '');
  const figures = fitted(room, longest, STRONG);
  const style = { figures, nameRoom: BAR.from - 24 - NAME, colours };
  return [
    ...(ticks ?? []).map((tick) => tickLine(tick, [ROWS - 42, bottom], colours)),
    ...rows.flatMap((row, index) => rowAt(row, ROWS + index * STEP, style)),
    ...tickLabels(labelled(ticks ?? []), bottom + 30, colours),
    ...notes.map((note) => {
      const free = ticks ? FIRST_LABEL - LEFT : RIGHT - LEFT;
      const place = { x: LEFT, y: bottom + 30, fill: colours.inkSoft };
      return lettering(cutTo(free, note, SMALL), SMALL, place);
    }),
  ];
}

function rowAt(
  { rank, name, value, interval, mark }: CardRow,
  y: number,
  { figures, nameRoom, colours }: { figures: Lettering; nameRoom: number; colours: Colours },
): Markup[] {
  const { ink, inkSoft } = colours;
  return [
    lettering(rank, PLAIN, { x: LEFT, y, fill: inkSoft }),
    lettering(cutTo(nameRoom, name, STRONG), STRONG, { x: NAME, y, fill: ink }),
    ...(mark ? bar(mark, y - 10, colours) : [intervalText(interval, y, colours)]),
    lettering(value, figures, { x: RIGHT, y, fill: ink, isEnd: true }),
  ];
}

/** An interval on the scale of the picture. */
export function bar({ dot, bar: ends, low }: Mark, y: number, colours: Colours): Markup[] {
  const { lineStrong, accent } = colours;
  const line = ends && `M${onBar(ends[0])} ${y}H${onBar(ends[1])}`;
  return [
    ...(line ? [el('path', { d: line, stroke: lineStrong, 'stroke-width': 4 })] : []),
    ...(dot === null ? [] : [dotAt(onBar(dot), y, colours)]),
    ...(low === null
      ? []
      : [el('path', { d: `M${onBar(low)} ${y - 13}v26`, stroke: accent, 'stroke-width': 6 })]),
  ];
}

function dotAt(cx: number, cy: number, { surface, inkSoft }: Colours): Markup {
  return el('circle', { cx, cy, r: 7, fill: surface, stroke: inkSoft, 'stroke-width': 3 });
}

export function tickLine({ at }: Tick, ends: readonly [number, number], { line }: Colours): Markup {
  const d = `M${onBar(at)} ${ends[0]}V${ends[1]}`;
  return el('path', { d, stroke: line, 'stroke-width': 2 });
}

/** Labels are centered below their lines and left out if they would overlap. */
export function tickLabels(ticks: readonly Tick[], y: number, { inkSoft }: Colours): Markup[] {
  let free = FIRST_LABEL;
  return ticks.flatMap(({ at, label }) => {
    const width = widthOf(label, SMALL);
    const x = onBar(at) - width / 2;
    if (x < free) return [];
    free = x + width + 16;
    return [lettering(label, SMALL, { x, y, fill: inkSoft })];
  });
}

function intervalText(text: string, y: number, { inkSoft }: Colours): Markup {
  const room = RIGHT - WIDE_VALUE_ROOM - BAR.from;
  return lettering(text, fitted(room, text, SMALL), { x: BAR.from, y, fill: inkSoft });
}

function onBar(at: number): number {
  return Math.round(BAR.from + (at / 100) * (BAR.to - BAR.from));
}

function emptiness(notes: readonly string[], { inkSoft }: Colours): Markup[] {
  return notes.map((note, index) => {
    return lettering(note, LARGE, { x: LEFT, y: ROWS + 20 + index * STEP, fill: inkSoft });
  });
}

function foot(
  { address, day }: Pick<SocialCard, 'address' | 'day'>,
  { surfaceSunk, inkSoft }: Colours,
): Markup[] {
  const y = CARD_HEIGHT - 72;
  const room = RIGHT - LEFT - widthOf(day, SMALL) - 40;
  return [
    el('rect', { y, width: CARD_WIDTH, height: 72, fill: surfaceSunk }),
    lettering(cutTo(room, address, SMALL), SMALL, { x: LEFT, y: y + 44, fill: inkSoft }),
    lettering(day, SMALL, { x: RIGHT, y: y + 44, fill: inkSoft, isEnd: true }),
  ];
}
