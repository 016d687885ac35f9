/** The preview picture that other sites show with a link to an operator's page. */
import type { Colours } from '#core/domain/board/colours.ts';
import type { ClassTier } from '#core/schema/board.ts';
import { markAt } from './class-mark.ts';
import { type Lettering, cutTo, fitted, lettering, widthOf } from './lettering.ts';
import { LEFT, RIGHT, framedCard } from './social-card.ts';
import type { Markup } from './svg.ts';

export interface OperatorCard {
  board: string;
  name: string;
  tier: ClassTier;
  className: string;
  /** The rank, for the corner. */
  rank: string;
  /** The number that ranks, and what it is. */
  value: string;
  meaning: string;
  /** More about the number; null to leave it out. */
  interval: string | null;
  range: string | null;
  address: string;
  day: string;
}

const VALUE: Lettering = { weight: 'strong', size: 128 };
const PLAIN: Lettering = { weight: 'regular', size: 36 };
const CLASS: Lettering = { weight: 'strong', size: 36 };

const ROOM = RIGHT - LEFT;
/** The size of the mark of a class. */
const MARK = 56;

export function operatorCard(card: OperatorCard, colours: Readonly<Colours>): Markup {
  const { board, name, rank, address, day, value, meaning, interval, range } = card;
  const { ink, inkSoft } = colours;
  const figures = fitted(ROOM, value, VALUE);
  return framedCard({ board, title: name, total: rank, address, day }, colours, [
    ...classOf(card, colours),
    lettering(cutTo(ROOM, value, figures), figures, { x: LEFT, y: 378, fill: ink }),
    lettering(cutTo(ROOM, meaning, PLAIN), PLAIN, { x: LEFT, y: 432, fill: inkSoft }),
    ...[interval, range].flatMap((fact, line) => {
      if (fact === null) return [];
      return lettering(cutTo(ROOM, fact, PLAIN), PLAIN, { x: LEFT, y: 486 + 48 * line, fill: ink });
    }),
  ]);
}

/** The class with its mark; nothing for unclassed operators. */
function classOf({ tier, className }: OperatorCard, { ink }: Colours): Markup[] {
  if (tier === 'unclassed') return [];
  const width = widthOf(className, CLASS);
  return [
    ...markAt(tier, { x: LEFT, y: 196, size: MARK }, ink),
    lettering(cutTo(Math.min(width, ROOM - MARK - 20), className, CLASS), CLASS, {
      x: LEFT + MARK + 20,
      y: 237,
      fill: ink,
    }),
  ];
}
