import { isLogarithmic } from '#core/domain/metrics/metric-axis.ts';
import type { MetricName } from '#core/schema/record.ts';
import { type Run, axisOf, runsOf } from './axis.ts';
import { type Markup, el } from './svg.ts';

interface Spark {
  metric: MetricName;
  /** One a day, oldest first; null where there is none. */
  values: readonly (number | null)[];
}

/** Steps of its height: half a pixel each. */
const HEIGHT = 56;
/** Room for the thickness of the line. */
const EDGE = 3;

/** The least that its height spans, so that a calm operator looks calm: tenfold, or a fifth of an snr. */
const LEAST_SPAN: Readonly<Record<MetricName, number>> = {
  yield: 1,
  leverage: 1,
  velocity: 1,
  snr: 0.2,
  dev10x: 1,
};

/**
 * A line as wide as a word, beside the numbers that it repeats. Each has an axis of its own, so its height
 * compares the days of one operator, never two operators. Gaps stay gaps, a lone day is a dot, and so is
 * a zero, at the bottom, where a logarithmic axis has no place for it.
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

/** One step to the right a day, as short as a path can be written. */
function lineOf({ start, places: [first = 0, ...rest] }: Run): string {
  let before = first;
  const steps = rest.map((place) => {
    const step = place - before;
    before = place;
    return `1${step < 0 ? '' : ' '}${step}`;
  });
  return `M${start} ${first}l${steps.join(' ')}`;
}

/** Round line ends make a dot of a line without length. */
function dotAt(x: number, y: number): string {
  return `M${x} ${y}h0`;
}

function zeroAt(value: number | null, index: number): string[] {
  return value === 0 ? [dotAt(index, HEIGHT - EDGE)] : [];
}
