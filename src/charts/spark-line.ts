import { isLogarithmic } from '#core/domain/metrics/metric-axis.ts';
import type { MetricName } from '#core/schema/record.ts';
import { type Run, axisOf, runsOf } from './axis.ts';
import { type Markup, el } from './svg.ts';

interface Spark {
  metric: MetricName;
  /** One value a day, oldest first; null for days without one. */
  values: readonly (number | null)[];
}

/** The height in steps of half a pixel. */
const HEIGHT = 56;
/** Space for the thickness of the line. */
const EDGE = 3;

/** The smallest span of the axis, so that small changes look small: a factor of ten, or 0.2 for SNR. */
const LEAST_SPAN: Readonly<Record<MetricName, number>> = {
  yield: 1,
  leverage: 1,
  velocity: 1,
  snr: 0.2,
  dev10x: 1,
};

/**
 * A small line chart next to the numbers. Each has its own axis, so heights can be compared within one line but
 * not between operators. Days without values are gaps. A single day between gaps is a dot, and so is a zero, which
 * is drawn at the bottom.
 */
export function sparkLine({ metric, values }: Spark): Markup {
  const axis = axisOf({ metric, values, span: LEAST_SPAN[metric] });
  const heightOf = (value: number | null) => {
    const place = axis.at(value);
    return place === null ? null : Math.round(HEIGHT - EDGE - (place / 100) * (HEIGHT - 2 * EDGE));
  };
  const runs = runsOf(values.map(heightOf));
  const lines = runs.filter(({ places }) => places.length > 1).map(lineOf);
  const lone = runs.flatMap(({ start, places: [first, ...rest] }) =>
    first === undefined || rest.length > 0 ? [] : [dotAt(start, first)],
  );
  const dots = [...lone, ...(isLogarithmic(metric) ? values.flatMap(zeroAt) : [])];
  const width = Math.max(values.length - 1, 1);
  return el(
    'svg',
    {
      class: 'spark',
      viewBox: `0 0 ${width} ${HEIGHT}`,
      preserveAspectRatio: 'none',
      'aria-hidden': 'true',
    },
    lines.length > 0 && el('path', { d: lines.join('') }),
    dots.length > 0 && el('path', { class: 'dots', d: dots.join('') }),
  );
}

/** A short path with one step to the right for each day. */
function lineOf({ start, places: [first = 0, ...rest] }: Run): string {
  let before = first;
  const steps = rest.map((place) => {
    const step = place - before;
    before = place;
    return `1${step < 0 ? '' : ' '}${step}`;
  });
  return `M${start} ${first}l${steps.join(' ')}`;
}

/** A line without length, which round line ends turn into a dot. */
function dotAt(x: number, y: number): string {
  return `M${x} ${y}h0`;
}

function zeroAt(value: number | null, index: number): string[] {
  return value === 0 ? [dotAt(index, HEIGHT - EDGE)] : [];
}
