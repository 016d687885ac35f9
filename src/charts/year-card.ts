/** The preview picture that other sites show with a link to a year in review. */
import type { Colours } from '#core/domain/board/colours.ts';
import { dayName, dayNumber, mondayOf } from '#core/domain/counting/day.ts';
import type { ClassTier } from '#core/schema/board.ts';
import { type CalendarDay, calendarLevels, levelOf } from './calendar-chart.ts';
import { markAt } from './class-mark.ts';
import { type Lettering, cutTo, fitted, lettering, widthOf } from './lettering.ts';
import { LEFT, RIGHT, framedCard } from './social-card.ts';
import { type Markup, el } from './svg.ts';

export interface YearCard {
  board: string;
  title: string;
  /** The rank at the end of the year, for the corner. */
  rank: string;
  tier: ClassTier;
  /** Up to four numbers, each with its meaning. */
  facts: readonly (readonly [value: string, meaning: string])[];
  /** The numbers of the first and last day to draw. */
  first: number;
  last: number;
  /** The tokens of each day. */
  days: readonly CalendarDay[];
  address: string;
  day: string;
}

const FACT: Lettering = { weight: 'strong', size: 52 };
const MEANING: Lettering = { weight: 'regular', size: 26 };
const MONTH: Lettering = { weight: 'regular', size: 24 };

const COLUMNS = 4;
const COLUMN = (RIGHT - LEFT) / COLUMNS;
const MARK = 44;
/** The weeks of a leap year that begins on a Sunday. */
const WEEKS = 54;
const STEP = (RIGHT - LEFT) / WEEKS;
const MONTHS_Y = 366;
const TOP = 392;
const ROW = 22;
const RADII = [1.5, 4, 5.5, 7, 8.5] as const;
const NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export function yearCard(card: YearCard, colours: Readonly<Colours>): Markup {
  const { board, title, rank, address, day, facts, tier } = card;
  return framedCard({ board, title, total: rank, address, day }, colours, [
    ...facts.flatMap((fact, at) => factAt(fact, at, colours)),
    ...markAfter(tier, facts, colours),
    ...months(card, colours),
    ...dots(card, colours),
  ]);
}

function factAt([value, meaning]: readonly [string, string], at: number, colours: Colours) {
  const x = LEFT + at * COLUMN;
  const room = COLUMN - 24;
  const figures = fitted(room, value, FACT);
  return [
    lettering(cutTo(room, value, figures), figures, { x, y: 260, fill: colours.ink }),
    lettering(cutTo(room, meaning, MEANING), MEANING, { x, y: 300, fill: colours.inkSoft }),
  ];
}

/** The mark of the class, after its name, which is the last fact; nothing for unclassed operators. */
function markAfter(tier: ClassTier, facts: YearCard['facts'], { ink }: Colours): Markup[] {
  const name = facts.at(-1)?.[0] ?? '';
  const x = LEFT + (facts.length - 1) * COLUMN + widthOf(name, FACT) + 16;
  return x + MARK > RIGHT ? [] : markAt(tier, { x: Math.round(x), y: 220, size: MARK }, ink);
}

function acrossOf(day: number, first: number): number {
  return LEFT + ((mondayOf(day) - mondayOf(first)) / 7 + 0.5) * STEP;
}

/** The names of the months, above the week with their first day. */
function months({ first }: YearCard, { inkSoft }: Colours): Markup[] {
  const year = dayName(first).slice(0, 4);
  return NAMES.map((name, month) => {
    const day = dayNumber(`${year}-${String(month + 1).padStart(2, '0')}-01`);
    return lettering(name, MONTH, { x: acrossOf(day, first) - 8, y: MONTHS_Y, fill: inkSoft });
  });
}

function dots({ first, last, days }: YearCard, { ink, lineStrong }: Colours): Markup[] {
  const levels = calendarLevels(days);
  const known = new Map(days.map(({ date, value }) => [date, value]));
  return Array.from({ length: last - first + 1 }, (_, at) => {
    const day = first + at;
    const level = levelOf(known.get(dayName(day)), levels);
    return el('circle', {
      cx: Math.round(acrossOf(day, first) * 10) / 10,
      cy: TOP + ROW * (day - mondayOf(day)),
      r: RADII[level] ?? 0,
      fill: level === 0 ? lineStrong : ink,
    });
  });
}
