/** The preview picture that other sites show with a link to a comparison. */
import type { Colours } from '#core/domain/board/colours.ts';
import type { ClassTier } from '#core/schema/board.ts';
import { markAt } from './class-mark.ts';
import { type Lettering, cutTo, fitted, lettering } from './lettering.ts';
import { type Mark, type Tick, labelled } from './scale.ts';
import {
  BAR,
  LEFT,
  RIGHT,
  VALUE_ROOM,
  bar,
  framedCard,
  tickLabels,
  tickLine,
} from './social-card.ts';
import type { Markup } from './svg.ts';

export interface ComparisonCard {
  board: string;
  title: string;
  /** What is compared, for the corner. */
  total: string;
  address: string;
  day: string;
  rows: readonly ComparisonRow[];
  ticks: readonly Tick[];
}

export interface ComparisonRow {
  tier: ClassTier;
  name: string;
  /** The class, rank and active days. */
  facts: string;
  value: string;
  mark: Mark;
}

const NAME: Lettering = { weight: 'strong', size: 36 };
const FACTS: Lettering = { weight: 'regular', size: 24 };
const VALUE: Lettering = { weight: 'strong', size: 40 };
const MARK = 48;
const TEXT = LEFT + MARK + 20;
/** The position of the first of four rows and the distance to the next, and the room between fewer rows. */
const TOP = 228;
const STEP = 80;
const SPREAD = 22;
const MOST_ROWS = 4;

export function comparisonCard(card: ComparisonCard, colours: Readonly<Colours>): Markup {
  const { rows, ticks } = card;
  const free = SPREAD * (MOST_ROWS - rows.length);
  const top = TOP + free;
  const step = STEP + free;
  const bottom = top + (rows.length - 1) * step + 38;
  const longest = rows.reduce((most, { value }) => (value.length > most.length ? value : most), '');
  const figures = fitted(VALUE_ROOM, longest, VALUE);
  return framedCard(card, colours, [
    ...ticks.map((tick) => tickLine(tick, [top - 36, bottom], colours)),
    ...rows.flatMap((row, at) => rowAt(row, top + at * step, { figures, colours })),
    ...tickLabels(labelled(ticks), bottom + 28, colours),
  ]);
}

function rowAt(
  { tier, name, facts, value, mark }: ComparisonRow,
  y: number,
  { figures, colours }: { figures: Lettering; colours: Readonly<Colours> },
): Markup[] {
  const { ink, inkSoft } = colours;
  const room = BAR.from - 24 - TEXT;
  return [
    ...markAt(tier, { x: LEFT, y: y - 26, size: MARK }, ink),
    lettering(cutTo(room, name, NAME), NAME, { x: TEXT, y, fill: ink }),
    lettering(cutTo(room, facts, FACTS), FACTS, { x: TEXT, y: y + 32, fill: inkSoft }),
    ...bar(mark, y, colours),
    lettering(cutTo(VALUE_ROOM, value, figures), figures, {
      x: RIGHT,
      y: y + 12,
      fill: ink,
      isEnd: true,
    }),
  ];
}
