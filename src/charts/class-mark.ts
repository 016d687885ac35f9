/** The marks of classes: waters that grow, from one ripple to an ocean. */
import type { ClassTier } from '#core/schema/board.ts';
import { type Markup, el } from './svg.ts';

const wave = (y: number) => `M2 ${y}q1.5-2 3 0t3 0 3 0 3 0`;
const rough = (y: number) => `M2 ${y}l2-3 2 3 2-3 2 3 2-3 2 3`;

const SHAPES: Readonly<Record<Exclude<ClassTier, 'unclassed'>, string>> = {
  rill: 'M5 8q1.5-2 3 0t3 0',
  brook: wave(8),
  stream: wave(6) + wave(10.5),
  river: wave(4) + wave(8) + wave(12),
  rapids: rough(7) + rough(13),
  falls: 'M1.5 3h8q3 0 3 3v7M9 6.5V13M5.5 6.5V13',
  cataract: 'M1.5 2.5h4q2 0 2 2v3.5h4q2.5 0 2.5 2.5v3M4 6v7.5M7.5 11v2.5M11 11v2.5',
  delta: 'M8 2v12M8 6q0 3-5.5 8M8 6q0 3 5.5 8',
  sea: `M1.5 8h13M4.5 8a3.5 3.5 0 0 1 7 0${wave(12.5)}`,
  ocean: `M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13${wave(7)}${wave(11)}`,
};

/** The shape of a mark, 16 units wide and high; null for unclassed operators. */
export function classShape(tier: ClassTier): Markup | null {
  return tier === 'unclassed' ? null : el('path', { d: SHAPES[tier] });
}

/** The mark of a class in the color of the text; null for unclassed operators. Its name must be printed next to it. */
export function classMark(tier: ClassTier): Markup | null {
  const shape = classShape(tier);
  return (
    shape && el('svg', { class: 'class-mark', viewBox: '0 0 16 16', 'aria-hidden': 'true' }, shape)
  );
}

/** The mark at a place in a picture; nothing for unclassed operators. */
export function markAt(
  tier: ClassTier,
  { x, y, size }: { x: number; y: number; size: number },
  stroke: string,
): Markup[] {
  const shape = classShape(tier);
  if (shape === null) return [];
  const line = { 'stroke-width': 1.25, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' };
  const transform = `translate(${x} ${y}) scale(${size / 16})`;
  return [el('g', { transform, fill: 'none', stroke, ...line }, shape)];
}
