/** The section about the best and worst days, and how they differ from the median day. */
import { type Html, markup } from '#core/domain/text/escape.ts';
import type { Metrics } from '#core/schema/record.ts';
import { boundsText, dateText, shareText, tokensText, valueText } from '../../charts/numbers.ts';
import type { WindowEstimate } from '../loop/estimate.ts';
import { figure } from '../text/figures.ts';
import { type ComparedDay, type DayFigures, LEAST_DAYS, type ToolDays } from './compare-days.ts';
import { daySentences } from './day-sentences.ts';
import { type Cell, details, joined, paragraph, section, table } from './parts.ts';

/**
 * @param standings The standing of each tool over the compared days, whose intervals show how certain its metrics are.
 */
export function daysSection(
  compared: readonly ToolDays[],
  standings: ReadonlyMap<string, WindowEstimate['standing']>,
): Html {
  const note =
    'A day is compared with the median day of the same tool, whose figures are the medians of each column. Only days of 10,000 tokens or more with a yield are compared. The differences are what the counts show, not causes: the kind of work, its length and chance differ, too. A single day has no interval, so the last row shows how certain all days together are.';
  if (compared.length === 0) {
    return section(
      'days',
      'Best and worst days',
      paragraph(`A comparison needs ${LEAST_DAYS} days of 10,000 tokens or more with one tool.`),
    );
  }
  return section(
    'days',
    'Best and worst days',
    joined(compared.map((one, at) => toolPart(one, standings.get(one.tool) ?? null, at === 0))),
    paragraph(note, 'soft small above'),
    paragraph('To see which habits could change these numbers, run: opbench improve', 'above'),
  );
}

function toolPart(
  { tool, days, median, best, worst }: ToolDays,
  standing: WindowEstimate['standing'],
  isOpen: boolean,
): Html {
  const columns = [
    { head: 'Day' },
    { head: 'Yield', isNumber: true },
    { head: 'Leverage', isNumber: true, isWide: true },
    { head: 'Velocity', isNumber: true, isWide: true },
    { head: 'Tokens', isNumber: true },
    { head: 'Cache reads', isNumber: true, isWide: true },
  ];
  const rows = [
    ...best.map((day) => rowOf(dateText(day.day, 'full'), day, 'best')),
    rowOf('Median day', median),
    ...[...worst].reverse().map((day) => rowOf(dateText(day.day, 'full'), day, 'worst')),
    ...(standing ? [certainRow(standing.metrics, standing)] : []),
  ];
  return joined([
    markup`<h3 class="breaks">${tool}, ${figure(days)} days</h3>`,
    table(columns, rows),
    details(
      'Show what differed on these days',
      joined([partOf('Best days', best, median), partOf('Worst days', worst, median)]),
      isOpen,
    ),
  ]);
}

function rowOf(name: string, day: DayFigures, below?: string): Cell[] {
  return [
    below === undefined ? name : { text: name, below },
    valueText('yield', day.yield),
    valueText('leverage', day.leverage),
    valueText('velocity', day.velocity),
    tokensText(day.tokens),
    shareText(day.cache_read),
  ];
}

/** All days together, with the interval of each metric. */
function certainRow(
  metrics: Metrics,
  { intervals, bases }: NonNullable<WindowEstimate['standing']>,
): Cell[] {
  const cell = (metric: 'leverage' | 'velocity' | 'yield'): Cell => {
    const [value, interval] = [metrics[metric], intervals[metric]];
    const text = value === null ? 'undefined' : valueText(metric, value);
    return interval ? { text, below: boundsText(metric, interval) } : text;
  };
  const { total, cache_read } = bases.all;
  const share = cache_read === null ? 'not reported' : shareText(cache_read / total);
  const name = { text: 'All days', below: 'with 95% intervals' };
  return [name, cell('yield'), cell('leverage'), cell('velocity'), tokensText(total), share];
}

function partOf(title: string, days: readonly ComparedDay[], median: DayFigures): Html {
  const items = days.map((day) => {
    const head = `${dateText(day.day, 'full')}, yield ${valueText('yield', day.yield)}`;
    const sentences = daySentences(day, median).map((text) => markup`<li>${text}</li>`);
    return markup`<dt>${head}</dt><dd><ul class="breaks">${sentences}</ul></dd>`;
  });
  return markup`<h4>${title}</h4><dl class="measure differences">${items}</dl>`;
}
