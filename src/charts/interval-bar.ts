/** The column of values and intervals, all on the same scale. */
import { across } from './frame.ts';
import { type Mark, type Scale, type Tick, labelled } from './scale.ts';
import { type Markup, el } from './svg.ts';

/** The ID of the ticks in the column's head, which rows reuse. Columns of the same page have different ones. */
const TICKS = 'scale-ticks';

/** The column's head: labels, and the ticks that rows reuse. */
export function intervalHead({ ticks }: Pick<Scale, 'ticks'>, id = TICKS): Markup {
  const lines = ticks.map(({ at }) =>
    el('line', { class: 'scale-tick', x1: across(at), x2: across(at), y2: '100%' }),
  );
  const symbol = el('symbol', { id, overflow: 'visible' }, ...lines);
  return el('svg', HIDDEN, symbol, ...labelled(ticks).map(labelOf));
}

/** One row: the interval, the value as a dot, and the mark at the conservative value. */
export function intervalMark({ dot, bar, low, beyond }: Mark, id = TICKS): Markup {
  return el(
    'svg',
    HIDDEN,
    el('use', { href: `#${id}` }),
    bar && lineAt(bar, ['50%', '50%'], 'bar'),
    dot !== null && el('circle', { class: 'dot', cx: across(dot), cy: '50%', r: 3 }),
    low !== null && lineAt([low, low], ['25%', '75%'], 'low'),
    beyond && arrowAt(beyond),
  );
}

const HIDDEN = { class: 'scale', 'aria-hidden': 'true' } as const;

function labelOf({ at, label }: Tick): Markup {
  return el('text', { x: across(at), y: '100%' }, label);
}

/** An arrow toward a value that is off the scale. */
function arrowAt(side: 'above' | 'below'): Markup {
  const [x, dx, text] = side === 'below' ? [0, -4, '\u2190'] : [100, 4, '\u2192'];
  return el('text', { class: `beyond ${side}`, x: across(x), dx, y: '50%', dy: '0.35em' }, text);
}

function lineAt(x: readonly [number, number], [y1, y2]: readonly [string, string], kind: string) {
  return el('line', { class: kind, x1: across(x[0]), x2: across(x[1]), y1, y2 });
}
