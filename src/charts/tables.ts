/** The data of charts as tables. */
import type { Distribution } from '#core/domain/metrics/distribution.ts';
import { axisPosition, axisValue } from '#core/domain/metrics/metric-axis.ts';
import type { Spread, SpreadPoint } from '#core/domain/metrics/spread.ts';
import type { MetricName } from '#core/schema/record.ts';
import { METRIC_LABELS } from './labels.ts';
import { tickText, valueText } from './numbers.ts';

export interface ChartTable {
  head: readonly string[];
  /** The first cell of each row is its name. */
  rows: readonly (readonly string[])[];
}

export function distributionTable(
  metric: MetricName,
  { bins, zeros, beyond }: Pick<Distribution, 'beyond' | 'bins' | 'zeros'>,
): ChartTable {
  const text = (value: number) => valueText(metric, value);
  const [below, above] = beyond;
  const rows = [
    ...(below > 0 ? [[`below ${text(bins[0]?.from ?? 0)}`, String(below)]] : []),
    ...bins.map(({ from, to, count }) => [`${text(from)} to ${text(to)}`, String(count)]),
    ...(above > 0 ? [[`above ${text(bins.at(-1)?.to ?? 0)}`, String(above)]] : []),
  ];
  return {
    head: [METRIC_LABELS[metric], 'Operators'],
    rows: zeros > 0 ? [['0', String(zeros)], ...rows] : rows,
  };
}

/** The number of operators in each power of ten of leverage and velocity. */
export function spreadTable({ points, zeros }: Pick<Spread, 'points' | 'zeros'>): ChartTable {
  const counts = new Map<string, number>();
  const ascending = [...points].sort(byDecades);
  for (const point of ascending) {
    const key = `${decadeText(point, 'leverage')} / ${decadeText(point, 'velocity')}`;
    counts.set(key, (counts.get(key) ?? 0) + point.count);
  }
  const rows = [...counts].map(([key, count]) => [...key.split(' / '), String(count)]);
  return {
    head: [METRIC_LABELS.leverage, METRIC_LABELS.velocity, 'Operators'],
    rows: zeros > 0 ? [['one of the two is 0', '', String(zeros)], ...rows] : rows,
  };
}

function byDecades(a: SpreadPoint, b: SpreadPoint): number {
  const difference = (fact: Fact) => decadeOf(a, fact) - decadeOf(b, fact);
  return difference('leverage') || difference('velocity');
}

type Fact = 'leverage' | 'velocity';

function decadeOf(point: SpreadPoint, fact: Fact): number {
  return Math.floor(axisPosition(fact, point[fact]));
}

function decadeText(point: SpreadPoint, fact: Fact): string {
  const decade = decadeOf(point, fact);
  return `${tickText(axisValue(fact, decade))} to ${tickText(axisValue(fact, decade + 1))}`;
}
