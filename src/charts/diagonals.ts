import { type Axis, GUTTER } from './axis.ts';
import { type Plot, across, all, up } from './frame.ts';
import { tickText } from './numbers.ts';
import { type Markup, el } from './svg.ts';

interface Axes {
  leverage: Axis;
  velocity: Axis;
}

/** One line of equal yield: its ends across and up, from 0 to 100. */
interface Diagonal {
  power: number;
  from: readonly [number, number];
  to: readonly [number, number];
}

/** More lines than this hide what they are to explain. */
const MAX_LINES = 5;
/** A label needs so much room, of 100. */
const LABEL_ROOM = 30;
/** A shorter line than this, of 100, only grazes a corner. */
const SHORTEST = 10;

/** Lines of equal yield in a plot of velocity by leverage: on logarithmic axes they fall straight. */
export function diagonals(axes: Axes, plot: Plot): Markup {
  const lines = linesOf(axes).filter(({ from, to }) => to[0] - from[0] >= SHORTEST);
  const step = Math.ceil(lines.length / MAX_LINES);
  const kept = lines.filter(({ power }) => power % Math.max(step, 1) === 0);
  return all(kept.flatMap((line) => drawn(line, plot)));
}

/** All powers of ten that cross the plot. */
function linesOf(axes: Axes): Diagonal[] {
  const [x, y] = [decadesOf(axes.leverage), decadesOf(axes.velocity)];
  if (!x || !y) return [];
  const lowest = Math.ceil(x.powerAt(GUTTER) + y.powerAt(0));
  const highest = Math.floor(x.powerAt(100) + y.powerAt(100));
  return Array.from({ length: Math.max(0, highest - lowest + 1) }, (_, index) => {
    const power = lowest + index;
    const left = Math.max(GUTTER, x.placeOf(power - y.powerAt(100)));
    const right = Math.min(100, x.placeOf(power - y.powerAt(0)));
    const upAt = (place: number) => y.placeOf(power - x.powerAt(place));
    return { power, from: [left, upAt(left)], to: [right, upAt(right)] };
  });
}

/** Between places and powers of ten; null where nothing has a place. */
function decadesOf({ at: placeAt }: Axis) {
  const [one, ten] = [placeAt(1), placeAt(10)];
  if (one === null || ten === null) return null;
  const decade = ten - one;
  return {
    powerAt: (place: number) => (place - one) / decade,
    placeOf: (power: number) => one + power * decade,
  };
}

/** The label stands under the line's lower end, where the line has left room. */
function drawn({ power, from, to }: Diagonal, plot: Plot): Markup[] {
  const ends = {
    x1: across(from[0]),
    y1: up(plot, from[1]),
    x2: across(to[0]),
    y2: up(plot, to[1]),
  };
  const line = el('line', { class: 'diagonal', ...ends });
  if (to[0] < LABEL_ROOM) return [line];
  const y = Math.min(ends.y2 + 14, plot.bottom - 6);
  const place = { x: across(to[0]), y, dx: -6, 'text-anchor': 'end' };
  return [line, el('text', { class: 'halo', ...place }, `yield ${tickText(10 ** power)}`)];
}
