/** The section that says how good the numbers are: yield, class, and what is missing for a rank. */
import { DEFAULT_VIEW } from '#core/domain/board/board-path.ts';
import { CLASS_WINDOW } from '#core/domain/metrics/class-tier.ts';
import { type Html, markup } from '#core/domain/text/escape.ts';
import type { WindowName } from '#core/schema/board.ts';
import { boundsText, dateText, tokensText, valueText } from '../../charts/numbers.ts';
import type { Estimate, WindowEstimate } from '../loop/estimate.ts';
import { figure } from '../text/figures.ts';
import { missingText } from '../text/missing.ts';
import { type Cell, NONE, joined, listOf, paragraph, section, table, yieldCell } from './parts.ts';

export const WINDOW_LABELS: Readonly<Record<WindowName, string>> = {
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  all_time: 'All time',
};

/** The yield and class, and what is missing for a rank. */
export function yieldSection(estimate: Estimate): Html {
  const { ruleset, windows, class_tier, tools } = estimate;
  const main = mainOf(windows);
  const name = `Yield, last ${WINDOW_LABELS[DEFAULT_VIEW.window]}`;
  const ofTools = tools.flatMap(({ tool, windows: own }) => {
    const found = mainOf(own);
    return found ? [{ name: tool, of: found }] : [];
  });
  const ofWindows = windows.map((of) => ({ name: WINDOW_LABELS[of.window], of }));
  return section(
    'yield',
    name,
    headline(main),
    classText(class_tier),
    standingTable('Window', ofWindows, 'All tools together, with the counts of this device only.'),
    tools.length > 1
      ? standingTable(
          'Tool',
          ofTools,
          `Each tool, last ${WINDOW_LABELS[DEFAULT_VIEW.window]}. Tools count input differently, so boards rank each tool, too.`,
        )
      : null,
    missingPart([...ofWindows, ...(tools.length > 1 ? ofTools : [])]),
    paragraph(
      `Below each yield is its 95% interval. "Possible" means that the counts meet ranking rules ${ruleset}. Boards can have other rules, and add the counts of your other devices.`,
      'soft small above',
    ),
  );
}

function mainOf(windows: readonly WindowEstimate[]): WindowEstimate | undefined {
  return windows.find(({ window }) => window === DEFAULT_VIEW.window);
}

interface Named {
  name: string;
  of: WindowEstimate;
}

function headline(main: WindowEstimate | undefined): Html {
  const standing = main?.standing;
  if (!standing) return paragraph('No tokens in this period.');
  const { metrics, intervals } = standing;
  if (metrics.yield === null) {
    return paragraph('No yield: it needs fresh input, and a tool that reports cache reads.');
  }
  const [leverage, velocity] = [metrics.leverage ?? 0, metrics.velocity ?? 0];
  const meaning = `${valueText('leverage', leverage)} tokens read from the cache and ${valueText('velocity', velocity)} tokens of output for each token of fresh input.`;
  return joined([
    markup`<p class="value" title="${String(metrics.yield)}">${valueText('yield', metrics.yield)}</p>`,
    paragraph(`Yield is leverage times velocity: ${meaning}`),
    paragraph(
      intervals.yield === null
        ? 'There is no 95% interval.'
        : `95% interval ${boundsText('yield', intervals.yield)}. Boards rank by the conservative value, which lowers the yield by its uncertainty.`,
    ),
  ]);
}

function classText(tier: Estimate['class_tier']): Html {
  const window = WINDOW_LABELS[CLASS_WINDOW];
  return tier === 'unclassed'
    ? paragraph(`No class yet: a class needs a rank in ${window}.`)
    : markup`<p class="measure">Class <strong>${capitalized(tier)}</strong>, by the conservative yield in ${window}.</p>`;
}

function standingTable(head: string, rows: readonly Named[], caption: string): Html {
  const columns = [
    { head },
    { head: 'Yield', isNumber: true },
    { head: 'Tokens', isNumber: true, isWide: true },
    { head: 'Active days', isNumber: true },
    { head: 'Rank', isNumber: true },
  ];
  return table(columns, rows.map(standingRow), caption);
}

function standingRow({ name, of: { standing, missing } }: Named): Cell[] {
  if (standing === null) return [name, NONE, '0', '0', NONE];
  const { metrics, intervals, bases } = standing;
  const { total } = bases.all;
  const tokens = { text: tokensText(total), exact: figure(total) };
  const value = yieldCell({ yield: metrics.yield, interval: intervals.yield });
  const rank = missing.length === 0 ? 'possible' : 'not yet';
  return [name, value, tokens, figure(bases.read.active_days), rank];
}

/** What each window or tool still needs. */
function missingPart(rows: readonly Named[]): Html | null {
  const lines = rows.flatMap(({ name, of: { missing } }) => {
    const needs = missing.map(missingText).join('; ');
    return needs === '' ? [] : [`${name}: ${needs}`];
  });
  return lines.length === 0
    ? null
    : joined([paragraph('Still missing for a rank:', 'above'), listOf(lines)]);
}

/** A class in its spelling on the site. */
function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A period in words. */
export function periodText({ first, last }: { first: string; last: string }): string {
  if (first === last) return dateText(first, 'full');
  return `${dateText(first, 'full')} to ${dateText(last, 'full')}`;
}
