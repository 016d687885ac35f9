/** The sections about time: metrics, the calendar, and sums by week and month. */
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { type Html, markup } from '#core/domain/text/escape.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { MetricName } from '#core/schema/record.ts';
import {
  calendarChart,
  calendarKey,
  calendarLevels,
  halfYears,
} from '../../charts/calendar-chart.ts';
import { historyLine } from '../../charts/history-line.ts';
import { METRIC_LABELS } from '../../charts/labels.ts';
import { boundsText, dateText, valueText } from '../../charts/numbers.ts';
import { type GroupedCounts, type Grouping, groupedBy } from '../loop/grouped.ts';
import {
  type Cell,
  NONE,
  details,
  figure,
  joined,
  paragraph,
  section,
  table,
  tokensCell,
  yieldCell,
} from './parts.ts';
import type { RollingPoint } from './rolling.ts';

/** The metrics over time, each with its interval. */
export function historySection(points: readonly RollingPoint[]): Html {
  const [first, ...others] = METRIC_NAMES.map((metric) => historyOf(metric, points));
  return section(
    'history',
    'Metrics over time',
    paragraph(
      'Each point covers the 30 days up to its date, as on a board. The area is the 95% interval, where it has two bounds.',
    ),
    first ?? null,
    paragraph(
      'The five metrics come from two independent ratios, leverage and velocity. Yield is their product, SNR is velocity on another scale, and Dev10x is leverage on another scale.',
    ),
    markup`<div class="charts">${others}</div>`,
  );
}

function historyOf(metric: MetricName, points: readonly RollingPoint[]): Html {
  const values = points.map(({ date, standing }) => ({
    date,
    value: standing?.metrics[metric] ?? null,
    interval: boundedIn(standing, metric),
  }));
  const known = values.filter(({ value }) => value !== null);
  const step = Math.ceil(known.length / MOST_ROWS);
  const shown = known.filter((_, at) => (known.length - 1 - at) % step === 0);
  const rows = shown.map(({ date, value, interval }): Cell[] => [
    dateText(date, 'full'),
    valueText(metric, value ?? 0),
    interval ? boundsText(metric, interval) : NONE,
  ]);
  const columns = [
    { head: 'Last day' },
    { head: METRIC_LABELS[metric], isNumber: true },
    { head: '95% interval', isNumber: true },
  ];
  const caption = `${METRIC_LABELS[metric]} over the last 30 days.`;
  return markup`<div>${figure(historyLine({ metric, points: values }), caption, table(columns, rows))}</div>`;
}

/** An interval with both bounds; null if there is none. */
function boundedIn(
  standing: RollingPoint['standing'],
  metric: MetricName,
): [number, number] | null {
  const [low, high] = standing?.intervals[metric] ?? [0, null];
  return high === null ? null : [low, high];
}

/** The most rows of a chart's table. Longer ones leave days out evenly. */
const MOST_ROWS = 60;

/** The tokens of each day, in half-years, newest first. */
export function calendarSection(buckets: readonly Bucket[], today: string): Html {
  const days = groupedBy(buckets, 'day').flatMap(({ name, totals }) => {
    return totals.total === 0 ? [] : [{ date: name['day'] ?? '', value: totals.total }];
  });
  const levels = calendarLevels(days);
  const halves = halfYears(days[0]?.date ?? today, today).reverse();
  const charts = halves.map(([from, to]) => {
    const within = days.filter(({ date }) => date >= from && date <= to);
    const name = `${dateText(from, 'full')} to ${dateText(to, 'full')}.`;
    return figure(calendarChart({ measure: 'tokens', from, to, days: within, levels }), name);
  });
  return section('calendar', 'Calendar', paragraph(calendarKey('tokens', levels)), joined(charts));
}

/** The sums by month, and by week. */
export function sumsSection(buckets: readonly Bucket[]): Html {
  return section(
    'sums',
    'Months and weeks',
    groupTable(groupedBy(buckets, 'month'), 'month', 'Month'),
    details('Show weeks', groupTable(groupedBy(buckets, 'week'), 'week', 'Week')),
    paragraph('Months and weeks are in UTC. Weeks begin on Monday (ISO 8601).', 'soft small above'),
  );
}

function groupTable(groups: readonly GroupedCounts[], grouping: Grouping, head: string): Html {
  const columns = [
    { head },
    { head: 'Days', isNumber: true, isWide: true },
    { head: 'Tokens', isNumber: true },
    { head: 'Output', isNumber: true, isWide: true },
    { head: 'Yield', isNumber: true },
  ];
  const rows = groups.map(({ name, days, totals, ...rest }): Cell[] => [
    grouping === 'month' ? dateText(`${name['month']}-01`, 'month') : (name[grouping] ?? ''),
    String(days),
    tokensCell(totals.total),
    tokensCell(totals.output),
    yieldCell(rest),
  ]);
  return table(columns, rows);
}
