/** The preview picture of a challenge that is over: the first three places on a podium. */
import type { Colours } from '#core/domain/board/colours.ts';
import { type Lettering, cutTo, fitted, lettering, widthOf } from './lettering.ts';
import { type SocialCard, LEFT, RIGHT, framedCard } from './social-card.ts';
import { type Markup, el } from './svg.ts';

export interface PodiumCard extends Omit<SocialCard, 'notes' | 'rows' | 'ticks'> {
  /** One to three, the first first. */
  steps: readonly PodiumStep[];
}

export interface PodiumStep {
  rank: number;
  name: string;
  value: string;
}

const NAME: Lettering = { weight: 'strong', size: 36 };
const VALUE: Lettering = { weight: 'regular', size: 32 };
const RANK: Lettering = { weight: 'strong', size: 64 };
const FLOOR = 558;
const GAP = 24;
const WIDTH = (RIGHT - LEFT - 2 * GAP) / 3;
/** The height of the steps of ranks 1 to 3. Equal ranks are equally high. */
const HEIGHTS = [240, 165, 115] as const;
/** The columns from the left: the first place is in the middle. */
const COLUMNS = [1, 0, 2] as const;

export function podiumCard(card: PodiumCard, colours: Readonly<Colours>): Markup {
  const steps = card.steps.flatMap((step, at) => stepAt(step, COLUMNS[at] ?? 1, colours));
  return framedCard(card, colours, steps);
}

function stepAt({ rank, name, value }: PodiumStep, column: number, colours: Colours): Markup[] {
  const { ink, inkSoft, surfaceSunk, accent } = colours;
  const x = LEFT + column * (WIDTH + GAP);
  const height = HEIGHTS[rank - 1] ?? HEIGHTS[2];
  const top = FLOOR - height;
  const centered = (text: string, style: Lettering, y: number, fill: string) => {
    const shown = cutTo(WIDTH, text, style);
    return lettering(shown, style, { x: x + (WIDTH - widthOf(shown, style)) / 2, y, fill });
  };
  return [
    el('rect', { x, y: top, width: WIDTH, height, fill: surfaceSunk }),
    el('rect', { x, y: top, width: WIDTH, height: 6, fill: rank === 1 ? accent : ink }),
    centered(name, fitted(WIDTH, name, NAME), top - 64, ink),
    centered(value, fitted(WIDTH, value, VALUE), top - 20, inkSoft),
    centered(String(rank), RANK, top + 78, ink),
  ];
}
